import { crc32 } from 'node:zlib';

/**
 * A checksum follows the bytes as a skippable frame of Zstandard (RFC 8878, section 3.1.2), so that programs which know nothing of it
 * still read a compressed block.
 */
const frameMagic = 0x184d2a5e;
const frameBytes = 12;

/** Bytes followed by their checksum. */
export function withChecksum(bytes: Uint8Array): Uint8Array {
  const frame = Buffer.alloc(frameBytes);
  frame.writeUInt32LE(frameMagic, 0);
  frame.writeUInt32LE(4, 4);
  frame.writeUInt32LE(crc32(bytes), 8);
  return Buffer.concat([bytes, frame]);
}

/** Whether the checksum of a body is right; null when it has none, as those of earlier releases. */
export function hasRightChecksum(body: Uint8Array): boolean | null {
  const frame = frameOf(body);
  return frame === null ? null : frame.readUInt32LE(8) === crc32(contentOf(body));
}

/** A body without its checksum. */
export function contentOf(body: Uint8Array): Uint8Array {
  return frameOf(body) === null ? body : body.subarray(0, -frameBytes);
}

function frameOf(body: Uint8Array): Buffer | null {
  if (body.length < frameBytes) return null;
  const frame = Buffer.from(body.buffer, body.byteOffset + body.length - frameBytes, frameBytes);
  return frame.readUInt32LE(0) === frameMagic && frame.readUInt32LE(4) === 4 ? frame : null;
}
