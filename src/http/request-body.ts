import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';

/** A body of 1,000 of the longest domain names, escaped, fits. */
export const bodyLimitBytes = 1_048_576;

/**
 * How much of a body is thrown away after its answer. A client that sends first and reads later sees the answer only when
 * its bytes go somewhere: a connection that is closed under them is reset, and the answer is lost with it.
 */
const discardBytes = { stranger: 8_388_608, caller: 67_108_864 };
const discardMs = 10_000;

/** Whether a request announces a body. */
export function carriesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

const waitingForContinue = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Notes that a client sends its body only when it is asked to (RFC 9110, section 10.1.1). Whoever reads the body asks; a
 * client that is refused instead sends none, so its connection cannot carry another request.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  waitingForContinue.set(request, response);
}

/** Reads a body to its end; refuses one that is too large as soon as that is known. */
export function readBody(request: IncomingMessage, done: (error: Error | null, bytes?: Buffer) => void): void {
  if (Number(request.headers['content-length']) > bodyLimitBytes) {
    done(new AppError('payload_too_large'));
    return;
  }
  // Node ends such a request before anybody listens (`optimizeEmptyRequests`).
  if (!carriesBody(request)) {
    done(null, Buffer.alloc(0));
    return;
  }
  if (request.headers.expect !== undefined) askToContinue(waitingForContinue.get(request));
  const chunks: Buffer[] = [];
  let received = 0;
  const settle = (error: Error | null, bytes?: Buffer): void => {
    request.off('data', take).off('end', finish).off('error', giveUp).off('close', giveUp);
    done(error, bytes);
  };
  const take = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > bodyLimitBytes) {
      request.pause();
      settle(new AppError('payload_too_large'));
    } else chunks.push(chunk);
  };
  const finish = (): void => settle(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  const giveUp = (cause?: Error): void => settle(new AppError('bad_request', { cause }));
  request.on('data', take).on('end', finish).on('error', giveUp).on('close', giveUp);
}

function askToContinue(response: ServerResponse | undefined): void {
  response?.removeHeader('connection');
  response?.writeContinue();
}

/** Throws the unread rest of a body away, within bounds, and only then lets the connection go. */
export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  // 413 comes after the key in the order of the checks, so it is somebody who may call.
  let left = response.statusCode === 413 ? discardBytes.caller : discardBytes.stranger;
  const timer = setTimeout(() => socket.destroy(), discardMs).unref();
  // Node calls this when the answer says that the connection closes: the client is told, and may finish its sentence.
  let isLast = false;
  socket.destroySoon = () => {
    isLast = true;
    socket.end();
  };
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  request.once('end', () => {
    clearTimeout(timer);
    if (isLast) socket.destroy();
    else Reflect.deleteProperty(socket, 'destroySoon');
  });
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
