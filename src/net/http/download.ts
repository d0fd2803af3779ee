import type { IncomingMessage } from 'node:http';
import { errorMessage } from '../../error-message.ts';
import { openDraft } from '../../files/atomic-file.ts';
import type { GetOptions, Received } from './guarded-http.ts';
import { GuardedHttpError } from './guarded-http-error.ts';
import { streamLimitedBody } from './limited-body.ts';

export interface DownloadOptions extends GetOptions {
  /** The entity tag of the existing copy: the server may then respond with "not modified". */
  readonly etag?: string;
  /** Called as bytes arrive; `totalBytes` is null when the server does not send it or compresses the body. */
  readonly onProgress?: (receivedBytes: number, totalBytes: number | null) => void;
}

export type DownloadResult =
  | {
      readonly kind: 'saved';
      readonly bytes: number;
      readonly etag: string | null;
      readonly lastModified: string | null;
      readonly url: string;
    }
  | { readonly kind: 'not_modified' };

/** Saves a response body as a file; an incomplete or failed transfer leaves the old one. */
export async function saveBody(
  { message, target }: Received,
  file: string,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<DownloadResult> {
  if (message.statusCode === 304 && options.etag !== undefined) return { kind: 'not_modified' };
  if (message.statusCode !== 200) {
    throw new GuardedHttpError('bad_status', `The server answered ${message.statusCode}`);
  }
  const totalBytes = totalOf(message);
  await using draft = await onDisk(openDraft(file));
  let bytes = 0;
  await streamLimitedBody(message, { maxBytes: options.maxBytes, signal }, async (chunk) => {
    await onDisk(draft.append(chunk));
    bytes += chunk.length;
    options.onProgress?.(bytes, totalBytes);
  });
  signal.throwIfAborted();
  await onDisk(draft.publish());
  return {
    kind: 'saved',
    bytes,
    etag: message.headers.etag ?? null,
    lastModified: message.headers['last-modified'] ?? null,
    url: target.href,
  };
}

function totalOf(message: IncomingMessage): number | null {
  const length = message.headers['content-length'];
  return length === undefined || message.headers['content-encoding'] !== undefined ? null : Number(length);
}

/** Distinguishes a full or read-only disk from a broken transfer. */
async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new GuardedHttpError('disk', errorMessage(error), error);
  }
}
