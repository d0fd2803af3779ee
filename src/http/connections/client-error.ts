import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { statusTexts } from '../../errors.ts';
import { ulid } from '../../ulid.ts';
import { jsonType } from '../exchange.ts';

type RefusedStatus = 400 | 408 | 417 | 431;

const statuses: Readonly<Record<string, RefusedStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** How long a client may take to read why it was rejected. */
const readGraceMs = 1_000;

/** Answers bytes that never became a request: invalid syntax, huge headers, headers that did not arrive in time. */
export function answerClientError(error: Error & { code?: string }, socket: Socket, now: () => number): void {
  // The client was answered already and has a moment to read the response.
  if (socket.writableEnded && !socket.destroyed) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body, headers } = refusal(statuses[error.code ?? ''] ?? 400, now);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${statusTexts[status]}\r\n${head.join('')}\r\n${body}`);
  // `end` closes one half: a client that never closes the other would keep its descriptor.
  setTimeout(() => socket.destroy(), readGraceMs).unref();
}

/**
 * Whether a request is invalid although Node parsed it. Proxies may read it differently: one with two `Host` headers, or without one
 * (RFC 9112, section 3.2), and one of HTTP/1.0 with a transfer coding (section 6.1).
 */
export function violatesHttp({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) return true;
  if (headers.host === undefined) return httpVersion === '1.1';
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Rejects a request that violates HTTP itself. */
export function refuse(response: ServerResponse, status: RefusedStatus, now: () => number): void {
  const { body, headers } = refusal(status, now);
  response.writeHead(status, headers).end(body);
}

function refusal(status: RefusedStatus, now: () => number) {
  const body = JSON.stringify({ status, error: statusTexts[status] });
  const headers = {
    'X-Request-Id': ulid(now()),
    'Content-Type': jsonType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  };
  return { status, body, headers };
}
