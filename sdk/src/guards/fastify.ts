import { type GuardInput, type GuardSettings, type IncomingRequest, refusalOfRequest } from './guard.ts';

interface AnyReply {
  code(code: number): { send(body: unknown): unknown };
}

/** A `preHandler` for Fastify: rejects people the gate blocks before the route sees them. */
export function signUpGuard(settings: GuardSettings & GuardInput<IncomingRequest>) {
  return async (request: IncomingRequest, reply: AnyReply): Promise<unknown> => {
    const refusal = await refusalOfRequest(settings, request);
    return refusal === null ? undefined : reply.code(refusal.status).send(refusal.body);
  };
}
