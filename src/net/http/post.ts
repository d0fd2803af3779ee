import type { IncomingMessage } from 'node:http';
import { ask, type Outbound } from './ask.ts';
import { toGuardedHttpError } from './guarded-http-error.ts';
import { parseTarget } from './redirect-target.ts';
import { withinTime } from './within-time.ts';

export interface PostOptions {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For the whole request: lookup, connection, response. */
  readonly timeoutMs: number;
  /** At most this much of the response is read; then the connection is closed. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  /** The beginning of the response, as far as it arrived in time. */
  readonly body: Buffer;
  /** The header `Retry-After`, as it came. */
  readonly retryAfter: string | undefined;
}

/** Sends a body on a guarded connection. The status decides: a response whose body never ends counts too. */
export async function post(outbound: Outbound, url: string, options: PostOptions): Promise<PostAnswer> {
  const endsAtMs = performance.now() + options.timeoutMs;
  const headers = {
    'user-agent': 'signalpost',
    accept: '*/*',
    'accept-encoding': 'identity',
    'content-length': String(Buffer.byteLength(options.body)),
    ...options.headers,
  };
  const message = await withinTime(options, async (signal) => {
    try {
      return await ask(outbound, parseTarget(url), { headers, body: options.body }, signal);
    } catch (error) {
      throw toGuardedHttpError(error);
    }
  });
  const body = await readSome(message, options.maxBytes, endsAtMs - performance.now());
  return { status: message.statusCode ?? 0, body, retryAfter: message.headers['retry-after'] };
}

/** Reads the first bytes of a body: until there are enough, it ends or breaks off, or the deadline passes. */
function readSome(message: IncomingMessage, maxBytes: number, leftMs: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      clearTimeout(timer);
      // After a complete body the connection can be reused.
      if (!message.readableEnded) message.destroy();
      resolve(Buffer.concat(chunks).subarray(0, maxBytes));
    };
    const timer = setTimeout(finish, Math.max(0, leftMs));
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) finish();
    });
    message.on('end', finish);
    // The status is known by now; a missing part of the body is no failure.
    message.on('error', finish);
    message.on('close', finish);
  });
}
