import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { GuardedHttpError } from './guarded-http-error.ts';

/** Receives the decompressed body in chunks; the next chunk waits for the promise. */
export type BodySink = (chunk: Buffer) => void | Promise<void>;

export interface LimitedBodyOptions {
  /** Counted on the wire and again after unpacking, so that a compression bomb is stopped here too. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Streams a response body, unpacked, into the sink; throws `too_large` or `bad_encoding`. */
export async function streamLimitedBody(
  message: IncomingMessage,
  { maxBytes, signal }: LimitedBodyOptions,
  sink: BodySink,
): Promise<void> {
  const announced = Number(message.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const decoder = decoderFor(message.headers['content-encoding']);
  const unpacked = limitTo(maxBytes);
  const write = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) await sink(chunk);
  };
  if (decoder === null) await pipeline(message, unpacked, write, { signal });
  else await pipeline(message, limitTo(maxBytes), decoder, unpacked, write, { signal });
}

function limitTo(maxBytes: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let total = 0;
    for await (const chunk of source) {
      total += chunk.length;
      if (total > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
}

/** The decoder of one content coding (RFC 9110 §8.4); only attackers stack codings. */
function decoderFor(encoding: string | undefined): Duplex | null {
  switch ((encoding ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new GuardedHttpError('bad_encoding', 'The content encoding is not supported');
  }
}

function tooLarge(maxBytes: number): GuardedHttpError {
  return new GuardedHttpError('too_large', `The body is larger than ${maxBytes} bytes`);
}
