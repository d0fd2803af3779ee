import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { contentOf, hasRightChecksum, withChecksum } from './checksum.ts';

/**
 * The default level takes a quarter longer and compresses our rows no better. On another thread, compressing would cost the main thread more
 * than it does here: under a millisecond for a thousand rows.
 */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 64 * 1024 };
const decompression = { chunkSize: 512 * 1024 };

/** A row as a line of a block. No field may contain a tab or a line break. */
export function blockLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map((field) => field ?? '').join('\t')}\n`;
}

export function compressLines(lines: Uint8Array | readonly string[]): Uint8Array {
  return compressBytes(lines instanceof Uint8Array ? lines : lines.join(''));
}

/** Compresses a block of any format, and adds a checksum. */
export function compressBytes(bytes: Uint8Array | string): Uint8Array {
  return withChecksum(zstdCompressSync(bytes, compression));
}

/** The bytes of a compressed block. */
export function decompressBytes(body: Uint8Array): Buffer {
  return zstdDecompressSync(contentOf(body), decompression);
}

/** Whether a compressed block is as it was written; one without a checksum need only be readable. */
export function isIntactBlock(body: Uint8Array): boolean {
  return hasRightChecksum(body) ?? isReadable(body);
}

function isReadable(body: Uint8Array): boolean {
  try {
    decompressBytes(body);
    return true;
  } catch {
    // The caller reports the block; the reason does not change what to do.
    return false;
  }
}

/** The rows of a compressed block, each as its fields. */
export function readBlock(body: Uint8Array): string[][] {
  return fieldsOf(decompressBytes(body).toString());
}

/** The rows of a text of lines, each as its fields. */
export function fieldsOf(text: string): string[][] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));
}

/** The change to a block that keeps some of its rows: the new block, 'empty' when no row is left, null when all are. */
export function keepRows<Row, Block>(
  rows: readonly Row[],
  isKept: (row: Row) => boolean,
  encode: (kept: readonly Row[]) => Block,
): Block | 'empty' | null {
  const kept = rows.filter(isKept);
  if (kept.length === rows.length) return null;
  return kept.length === 0 ? 'empty' : encode(kept);
}
