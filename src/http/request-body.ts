import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';

/** A body of 1,000 of the longest domain names, escaped, fits. */
const bodyLimitBytes = 1_048_576;

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
export function readBody(request: IncomingMessage, done: BodyRead): void {
  if (Number(request.headers['content-length']) > bodyLimitBytes) {
    done(new AppError('payload_too_large'), nothing);
    return;
  }
  // Node ends such a request before anybody listens (`optimizeEmptyRequests`).
  if (!carriesBody(request)) {
    done(null, nothing);
    return;
  }
  if (request.headers.expect !== undefined) askToContinue(waitingForContinue.get(request));
  const chunks: Buffer[] = [];
  let received = 0;
  let isOver = false;
  request.on('data', (chunk: Buffer) => {
    if (isOver) return;
    received += chunk.length;
    chunks.push(chunk);
    if (received <= bodyLimitBytes) return;
    isOver = true;
    request.pause();
    done(new AppError('payload_too_large'), nothing);
  });
  request.on('end', () => {
    if (isOver) return;
    isOver = true;
    const [first = nothing] = chunks;
    done(null, chunks.length > 1 ? Buffer.concat(chunks) : first);
  });
  // A request that is cut off only closes as long as nobody listens for its errors.
  request.on('close', () => {
    if (isOver) return;
    isOver = true;
    done(new AppError('bad_request'), nothing);
  });
}

/** Takes a body, or the reason why there is none. */
type BodyRead = (error: Error | null, bytes: Buffer) => void;

const nothing = Buffer.alloc(0);

function askToContinue(response: ServerResponse | undefined): void {
  response?.removeHeader('connection');
  response?.writeContinue();
}

/** Throws the unread rest of a body away, within bounds, and only then lets the connection go. */
export function discardRest(this: ServerResponse): void {
  const request = this.req;
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  // 413 comes after the key in the order of the checks, so it is somebody who may call.
  let left = this.statusCode === 413 ? discardBytes.caller : discardBytes.stranger;
  const timer = setTimeout(() => socket.destroy(), discardMs).unref();
  // Node calls this when the answer says that the connection closes: the client is told, and may finish sending.
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
