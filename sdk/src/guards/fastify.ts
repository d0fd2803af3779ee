import { type GuardInput, type GuardSettings, type IncomingRequest, refusalOfRequest, refusalStatus } from './guard.ts';

interface AnyReply {
  code(code: number): { send(body: unknown): unknown };
}

/** A `preHandler` for Fastify: turns away people the gate blocks, before the route sees them. */
export function signUpGuard(settings: GuardSettings & GuardInput<IncomingRequest>) {
  return async (request: IncomingRequest, reply: AnyReply): Promise<unknown> => {
    const refusal = await refusalOfRequest(settings, request);
    return refusal === null ? undefined : reply.code(refusalStatus).send(refusal);
  };
}
