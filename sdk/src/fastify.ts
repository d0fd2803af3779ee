import {
  emailOfBody,
  type GuardInput,
  type GuardSettings,
  type IncomingRequest,
  refusalOf,
  refusalStatus,
} from './guard.ts';

interface AnyReply {
  code(code: number): { send(body: unknown): unknown };
}

/** A `preHandler` for Fastify: turns away whom the gate blocks, before the route sees them. */
export function signUpGuard(settings: GuardSettings & GuardInput<IncomingRequest>) {
  const { email = emailOfBody, ip } = settings;
  return async (request: IncomingRequest, reply: AnyReply): Promise<unknown> => {
    const refusal = await refusalOf(settings, email(request), ip?.(request));
    return refusal === null ? undefined : reply.code(refusalStatus).send(refusal);
  };
}
