import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Arrays that a file can store. */
export type Section = Uint8Array | Uint32Array;

/** The content of a section file: a header, and the bytes of each section, which start at a multiple of 8. */
export interface SectionFile {
  readonly header: unknown;
  /** The bytes of each section, not copied. */
  readonly sections: readonly Uint8Array[];
}

const preludeBytes = 48;

/** Prelude (48 bytes: magic, total length, length of the header, SHA-256 of the rest), header as JSON, then the sections. */
export function encodeSections(magic: string, header: unknown, arrays: readonly Section[]): Uint8Array {
  const json = Buffer.from(JSON.stringify({ header, lengths: arrays.map((array) => array.byteLength) }));
  const total = arrays.reduce((sum, array) => sum + padded(array.byteLength), preludeBytes + padded(json.length));
  const file = Buffer.alloc(total);
  file.write(magic, 0, 8, 'latin1');
  file.writeUInt32LE(total, 8);
  file.writeUInt32LE(json.length, 12);
  json.copy(file, preludeBytes);
  let at = preludeBytes + padded(json.length);
  for (const array of arrays) {
    file.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += padded(array.byteLength);
  }
  digest(file).copy(file, 16);
  return file;
}

/** Decodes the output of `encodeSections`; throws an error that says what is wrong with the bytes. */
export function decodeSections(magic: string, bytes: Buffer): SectionFile {
  const file = bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  if (file.length < preludeBytes || file.toString('latin1', 0, 8) !== magic.padEnd(8, '\0'))
    throw new Error('not a file of this kind');
  if (file.readUInt32LE(8) !== file.length) throw new Error(`cut: ${file.length} of ${file.readUInt32LE(8)} bytes`);
  if (!digest(file).equals(file.subarray(16, preludeBytes))) throw new Error('checksum does not match');
  const jsonBytes = file.readUInt32LE(12);
  const { header, lengths }: { header: unknown; lengths: number[] } = JSON.parse(
    file.toString('utf8', preludeBytes, preludeBytes + jsonBytes),
  );
  let at = preludeBytes + padded(jsonBytes);
  const sections = lengths.map((length) => {
    const section = new Uint8Array(file.buffer, file.byteOffset + at, length);
    at += padded(length);
    return section;
  });
  return { header, sections };
}

/** Reads only the header of a file; its sections are neither read nor checked. */
export function readSectionHeader(magic: string, path: string): unknown {
  const file = openSync(path, 'r');
  try {
    const prelude = readAt(file, 0, preludeBytes);
    if (prelude.length < preludeBytes || prelude.toString('latin1', 0, 8) !== magic.padEnd(8, '\0'))
      throw new Error('not a file of this kind');
    const { size } = fstatSync(file);
    if (prelude.readUInt32LE(8) !== size) throw new Error(`cut: ${size} of ${prelude.readUInt32LE(8)} bytes`);
    const jsonBytes = Math.min(prelude.readUInt32LE(12), size - preludeBytes);
    const { header }: { header: unknown } = JSON.parse(readAt(file, preludeBytes, jsonBytes).toString('utf8'));
    return header;
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}

function digest(file: Buffer): Buffer {
  return createHash('sha256').update(file.subarray(0, 16)).update(file.subarray(preludeBytes)).digest();
}
