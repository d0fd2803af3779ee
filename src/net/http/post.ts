import type { IncomingMessage } from 'node:http';
import { type Agents, ask } from './ask.ts';
import { toGuardedHttpError } from './guarded-http-error.ts';
import type { OutboundGuard } from './outbound-guard.ts';
import { parseTarget } from './redirect-target.ts';
import { withinTime } from './within-time.ts';

export interface PostOptions {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For everything together: look-up, connection, answer. */
  readonly timeoutMs: number;
  /** So much of the answer is read; the connection is closed on the rest. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  /** The beginning of the answer, as far as it came in time. */
  readonly body: Buffer;
  /** The header `Retry-After`, as it came. */
  readonly retryAfter: string | undefined;
}

/** Sends a body on a guarded connection. The status decides: an answer that never ends is one all the same. */
export async function post(
  guard: OutboundGuard,
  agents: Agents,
  url: string,
  options: PostOptions,
): Promise<PostAnswer> {
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
      return await ask(guard, agents, parseTarget(url), { headers, body: options.body }, signal);
    } catch (error) {
      throw toGuardedHttpError(error);
    }
  });
  const body = await readSome(message, options.maxBytes, endsAtMs - performance.now());
  return { status: message.statusCode ?? 0, body, retryAfter: message.headers['retry-after'] };
}

/** The first bytes of a body: whatever has come when there are enough of them, when it ends, breaks off, or time is up. */
function readSome(message: IncomingMessage, maxBytes: number, leftMs: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      clearTimeout(timer);
      // A body that has ended leaves the connection to the next request.
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
    // The status is known by now; what is missing of the body is not worth a failure.
    message.on('error', finish);
    message.on('close', finish);
  });
}
