import type { FastifyReply } from 'fastify';

export const jsonType = 'application/json; charset=utf-8';

/** Browsers call the lookups and the status. */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*');
  reply.header('access-control-expose-headers', 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After');
}

/** What an answer says is for the one who asked, and is what its content type says. */
export function keepPrivate(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
}
