import { createCallOf } from '../../../sdk/src/call.ts';
import { type Operations, operations } from './operations.ts';

/** The response of an operation that only the console has. */
export type AnswerOf<Name extends keyof Operations> = Operations[Name]['answer'];
/** The body that such an operation takes. */
export type BodyOf<Name extends keyof Operations> = Operations[Name] extends { body: infer Body } ? Body : never;

/** Calls an operation that only the console has, with the SDK's transport. */
export const request = createCallOf<Operations>(operations, {
  baseUrl: '/console/api',
  fetch: (input, init) => fetch(input, init),
  timeoutMs: 60_000,
  attemptTimeoutMs: 60_000,
  maxAttempts: 1,
  backoffMs: 500,
  headers: { accept: 'application/json' },
});
