import type { FastifyReply } from 'fastify';

export const jsonType = 'application/json; charset=utf-8';

/** Browsers call the lookups and the status. */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*');
  reply.header('access-control-expose-headers', 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After');
}
