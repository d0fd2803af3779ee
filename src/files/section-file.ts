import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** A kind of file with a header and typed arrays. */
export interface SectionFormat<Header> {
  /** For errors, with an article. */
  readonly name: string;
  /** The first eight characters of the file. */
  readonly magic: string;
  /** Changes with the layout. */
  readonly version: number;
  /** The bytes of each section of a file whose header does not contain them. */
  lengthsOf?(header: Header): readonly number[];
}

/** A file that was read; its sections are not copied. */
export interface SectionFile<Header> {
  readonly header: Header;
  bytes(section: number): Uint8Array;
  words(section: number): Uint32Array;
}

/** Typed arrays are in the machine's own byte order; a file from another order is not used. */
const byteOrderMark = 0x01020304;
const preludeBytes = 32;
const numbersAt = 8;

/**
 * Prelude (32 bytes: magic, version, byte order mark, file length, header length, CRC-32 of the rest, zero), header as JSON, then
 * the sections, each on a multiple of 4. The checksum tells damage, and every start waits for it.
 */
export function encodeSections<Header extends object>(
  { magic, version }: SectionFormat<Header>,
  header: Header,
  sections: readonly (Uint8Array | Uint16Array | Uint32Array)[],
): Uint8Array {
  const json = JSON.stringify({ ...header, lengths: sections.map(({ byteLength }) => byteLength) });
  const headerBytes = padded(Buffer.byteLength(json));
  const total = sections.reduce((sum, { byteLength }) => sum + padded(byteLength), preludeBytes + headerBytes);
  const file = new Uint8Array(total);
  const text = Buffer.from(file.buffer);
  text.write(magic, 'latin1');
  text.fill(' ', preludeBytes, preludeBytes + headerBytes);
  text.write(json, preludeBytes);
  let at = preludeBytes + headerBytes;
  for (const { buffer, byteOffset, byteLength } of sections) {
    file.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += padded(byteLength);
  }
  const checksum = crc32(file.subarray(preludeBytes));
  new Uint32Array(file.buffer, numbersAt).set([version, byteOrderMark, total, headerBytes, checksum]);
  return file;
}

/** Reads the output of `encodeSections`; throws an error that says what is wrong with the bytes. */
export function decodeSections<Header extends object>(
  format: SectionFormat<Header>,
  bytes: Uint8Array,
): SectionFile<Header> {
  const file = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  const { headerBytes, checksum } = readPrelude(format, file, file.length);
  if (crc32(file.subarray(preludeBytes)) !== checksum) throw new Error('checksum does not match');
  const { header, lengths } = readHeader(format, file.subarray(preludeBytes, preludeBytes + headerBytes));
  let at = file.byteOffset + preludeBytes + headerBytes;
  const sections = lengths.map((length) => {
    const section = new Uint8Array(file.buffer, at, length);
    at += padded(length);
    return section;
  });
  const section = (index: number): Uint8Array => {
    const found = sections[index];
    if (found === undefined) throw new Error('a section is missing');
    return found;
  };
  return {
    header,
    bytes: section,
    words(index) {
      const { buffer, byteOffset, byteLength } = section(index);
      return new Uint32Array(buffer, byteOffset, byteLength / 4);
    },
  };
}

/** Reads only the header of a file; its sections are neither read nor checked. */
export function readSectionHeader<Header extends object>(format: SectionFormat<Header>, path: string): Header {
  const file = openSync(path, 'r');
  try {
    const { headerBytes } = readPrelude(format, readAt(file, 0, preludeBytes), fstatSync(file).size);
    return readHeader(format, readAt(file, preludeBytes, headerBytes)).header;
  } finally {
    closeSync(file);
  }
}

function readPrelude({ name, magic, version }: SectionFormat<never>, file: Uint8Array, length: number) {
  const isOurs = file.length >= preludeBytes && Buffer.from(file.subarray(0, numbersAt)).toString('latin1') === magic;
  if (!isOurs) throw new Error(`not ${name}`);
  const prelude = new Uint32Array(file.buffer, file.byteOffset + numbersAt, 6);
  const [found, mark, total = 0, headerBytes = 0, checksum, reserved] = prelude;
  if (mark !== byteOrderMark) throw new Error('written on a machine with another byte order');
  if (found !== version) throw new Error(`format ${found}, not ${version}`);
  if (total !== length) throw new Error(`cut: ${length} of ${total} bytes`);
  if (headerBytes > total - preludeBytes || headerBytes % 4 !== 0 || reserved !== 0) throw new Error('damaged');
  return { headerBytes, checksum };
}

function readHeader<Header extends object>({ lengthsOf }: SectionFormat<Header>, json: Uint8Array) {
  const { lengths, ...rest } = JSON.parse(Buffer.from(json).toString()) as Header & { lengths?: readonly number[] };
  const header = rest as unknown as Header;
  return { header, lengths: lengths ?? lengthsOf?.(header) ?? [] };
}

function readAt(file: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}
