import type { FastifyRequest } from 'fastify';
import type { Family } from './endpoint.ts';

export const jsonType = 'application/json; charset=utf-8';

const exposed = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After';

/**
 * What every answer says besides its body, as one flat list of names and values: it is for the one who asked, and is what
 * its content type says. Browsers call the lookups and the status.
 */
export function answerHeaders(request: FastifyRequest, family: Family | undefined): string[] {
  const { throughput } = request;
  const headers = ['x-request-id', request.id, 'cache-control', 'no-store', 'x-content-type-options', 'nosniff'];
  if (family === 'lookup') {
    headers.push('access-control-allow-origin', '*', 'access-control-expose-headers', exposed);
  }
  if (throughput !== null) {
    const { limit, remaining } = throughput;
    headers.push('x-ratelimit-limit', String(limit), 'x-ratelimit-remaining', String(remaining));
  }
  if (request.server.draining) headers.push('connection', 'close');
  return headers;
}
