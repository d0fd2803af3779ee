import type { Socket } from 'node:net';
import { ulid } from '../ulid.ts';

const answers: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request header fields too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timeout'],
};

/** Answers what never became a request: broken syntax, huge headers, a client too slow to finish its headers. */
export function answerClientError(error: Error & { code?: string }, socket: Socket, now: () => number): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason] = answers[error.code ?? ''] ?? [400, 'Bad request'];
  const body = JSON.stringify({ status, error: reason });
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    `X-Request-Id: ${ulid(now())}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
