import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';
import { closeSendingHalfOnly } from './connections/node-internals.ts';

/** A body of 1,000 of the longest domain names, escaped, fits. */
const bodyLimitBytes = 1_048_576;

/**
 * How much of a body is discarded after its response. A client that sends everything before it reads sees the response only if
 * its bytes are accepted: closing the connection earlier resets it, and the response is lost.
 */
const discardBytes = { anonymous: 8_388_608, caller: 67_108_864 };
const discardMs = 10_000;

/** Whether a request announces a body. */
export function carriesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

const waitingForContinue = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Remembers that a client sends its body only after `100 Continue` (RFC 9110, section 10.1.1), which is sent when the body is
 * read. A client that is rejected instead sends no body, so its connection cannot carry another request.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  waitingForContinue.set(request, response);
}

/** How a body is read. */
export interface BodyReading {
  readonly maxBytes: number;
  /** Whether the client was identified before its body was read. */
  readonly isProven: boolean;
}

const ofCallers: BodyReading = { maxBytes: bodyLimitBytes, isProven: true };

/** Requests whose body is read before their client is identified. */
const unproven = new WeakSet<IncomingMessage>();

/** The body of a request. One that arrived together with its head, as most do, is read without waiting for events. */
export function readBody(request: IncomingMessage, reading: BodyReading = ofCallers): Buffer | Promise<Buffer> {
  // Node emits no events for such a request (`optimizeEmptyRequests`).
  if (!carriesBody(request)) return nothing;
  const { complete, destroyed, readableLength, headers } = request;
  if (complete && !destroyed && readableLength <= reading.maxBytes && headers.expect === undefined) {
    return request.read() ?? nothing;
  }
  if (!reading.isProven) unproven.add(request);
  return readToEnd(request, reading.maxBytes);
}

/** Reads a body to its end; rejects one that is too large as soon as that is known. */
function readToEnd(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (Number(request.headers['content-length']) > maxBytes) {
    reject(new AppError('payload_too_large'));
    return promise;
  }
  if (request.headers.expect !== undefined) sendContinue(waitingForContinue.get(request));
  const chunks: Buffer[] = [];
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    // The rest of a body that is too large is discarded.
    if (received > maxBytes) return;
    received += chunk.length;
    chunks.push(chunk);
    if (received <= maxBytes) return;
    request.pause();
    reject(new AppError('payload_too_large'));
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  // Without a listener for errors, an aborted request emits only `close`.
  request.on('close', () => {
    if (!request.readableEnded) reject(new AppError('bad_request'));
  });
  return promise;
}

const nothing = Buffer.alloc(0);

function sendContinue(response: ServerResponse | undefined): void {
  response?.removeHeader('connection');
  response?.writeContinue();
}

/** Discards the unread rest of a body, within bounds, before the connection closes. */
export function discardRest(this: ServerResponse): void {
  const request = this.req;
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  // The key is checked before the size, so a 413 goes to a caller with a valid key, unless the body itself proves who sent it.
  const isCaller = this.statusCode === 413 && !unproven.has(request);
  let left = isCaller ? discardBytes.caller : discardBytes.anonymous;
  const timer = setTimeout(() => socket.destroy(), discardMs).unref();
  let isLast = false;
  const closeNormally = closeSendingHalfOnly(socket, () => {
    isLast = true;
  });
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  request.once('end', () => {
    clearTimeout(timer);
    if (isLast) socket.destroy();
    else closeNormally();
  });
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
