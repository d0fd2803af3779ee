import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Family } from '../endpoint.ts';
import { familyOfPath, pathOf } from '../paths.ts';

export const jsonType = 'application/json; charset=utf-8';

/** Sends JSON text past the framework, which would look again at what is known here. */
export function sendText(reply: FastifyReply, status: number, text: string, family: Family): void {
  const { raw, request } = reply.hijack();
  const headers = answerHeaders(request, family);
  headers.push('content-type', jsonType, 'content-length', String(Buffer.byteLength(text)));
  raw.writeHead(status, headers).end(request.method === 'HEAD' ? '' : text);
}

/** Gives an answer that the framework sends the headers that every answer has; its own come first. */
export function addAnswerHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const headers = answerHeaders(request, familyOf(request));
  // A preflight is kept for as long as it says itself.
  const isPreflight = request.method === 'OPTIONS' && reply.statusCode === 204;
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value] = headers.slice(index, index + 2);
    if (reply.hasHeader(name) || (isPreflight && name === 'cache-control')) continue;
    reply.header(name, value);
  }
}

/** The family that a client sees: its endpoint's, or that of a path without an endpoint. The console has none. */
function familyOf(request: FastifyRequest): Family | undefined {
  if (request.is404) return familyOfPath(pathOf(request.url));
  const { family, isConsole } = request.routeOptions.config;
  return isConsole ? undefined : family;
}

const exposed = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After';

/**
 * What every answer says besides its body, as one flat list of names and values: it is for the one who asked, and is what
 * its content type says. Browsers call the lookups and the status.
 */
function answerHeaders(request: FastifyRequest, family: Family | undefined): string[] {
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
