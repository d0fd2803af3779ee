import { crc32 } from 'node:zlib';
import type { ListTable } from './list-table.ts';

/** One source as `lists status` shows it. */
export interface SourceStatus {
  readonly name: string;
  readonly version: string;
  readonly date: string | null;
  readonly count: number;
  readonly licence: string;
}

/** Since when sources name what they name, as far as this installation recorded it. */
export interface FirstNamed {
  /** When recording began, ISO 8601. */
  readonly since: string;
  /** The sources by their bits. */
  readonly sources: readonly string[];
  /** By day and source, the names that were new, separated by blanks. */
  readonly added: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The metadata of a snapshot, and the small lists that need no table. */
export interface SnapshotHeader {
  readonly builtAt: string;
  /** Changes when a package, a file of data/ or a download changes. */
  readonly fingerprint: string;
  readonly sources: readonly SourceStatus[];
  readonly counts: Readonly<Record<string, number>>;
  /** Names of packages that were left out because strangers register under them. */
  readonly droppedSuffixes: readonly string[];
  /** Why a download was not used. */
  readonly refused: readonly string[];
  readonly providers: readonly string[];
  readonly roles: readonly string[];
  readonly roleWords: readonly string[];
  readonly rolePlaces: readonly string[];
  /** By source and name, the first and the last day it was seen (`2025-11-03..2026-02-17`). */
  readonly seen?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly firstNamed?: FirstNamed;
}

/** The compiled lists in memory. */
export interface Snapshot {
  readonly header: SnapshotHeader;
  readonly table: ListTable;
  readonly sizeBytes: number;
}

/** Changes with the layout below or the meaning of a flag; another number means that it must be rebuilt. */
export const formatVersion = 3;

const magic = 'SPLISTS\n';
/** Typed arrays are in the machine's own byte order; a file from another order is rebuilt. */
const byteOrderMark = 0x01020304;
const preludeBytes = 32;
const checksumAt = 28;
const sectionNames = ['slots', 'nameStarts', 'names', 'flags', 'sources', 'providers'] as const;

/**
 * Prelude (32 bytes: magic, version, byte order mark, file length, header length, CRC-32 of all but the magic), header as
 * JSON, then the arrays of the table, each on a multiple of 8. The checksum tells damage, and every start waits for it.
 */
export function encodeSnapshot(header: SnapshotHeader, table: ListTable): Uint8Array {
  const sections = sectionNames.map((name) => bytesOf(table[name]));
  const json = JSON.stringify({ header, lengths: sections.map((section) => section.byteLength) });
  const headerBytes = padded(Buffer.byteLength(json));
  const total = sections.reduce((sum, section) => sum + padded(section.byteLength), preludeBytes + headerBytes);
  const file = Buffer.alloc(total);
  file.write(magic, 0, 'latin1');
  new Uint32Array(file.buffer, file.byteOffset + 8, 4).set([formatVersion, byteOrderMark, total, headerBytes]);
  file.fill(' ', preludeBytes, preludeBytes + headerBytes);
  file.write(json, preludeBytes, 'utf8');
  let at = preludeBytes + headerBytes;
  for (const section of sections) {
    file.set(section, at);
    at += padded(section.byteLength);
  }
  file.writeUInt32LE(checksum(file), checksumAt);
  return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
}

/** Reads a snapshot without copying its arrays; throws an error that says what is wrong with the bytes. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const file = bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes);
  const buffer = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (file.byteLength < preludeBytes || buffer.toString('latin1', 0, 8) !== magic)
    throw new Error('not a list snapshot');
  const [version, mark, total = 0, headerBytes = 0] = new Uint32Array(file.buffer, file.byteOffset + 8, 4);
  if (mark !== byteOrderMark) throw new Error('written on a machine with another byte order');
  if (version !== formatVersion) throw new Error(`format ${version}, not ${formatVersion}`);
  if (total !== file.byteLength) throw new Error(`cut: ${file.byteLength} of ${total} bytes`);
  if (checksum(buffer) !== buffer.readUInt32LE(checksumAt)) throw new Error('checksum does not match');
  const json = buffer.toString('utf8', preludeBytes, preludeBytes + headerBytes);
  const { header, lengths }: { header: SnapshotHeader; lengths: number[] } = JSON.parse(json);
  let at = file.byteOffset + preludeBytes + headerBytes;
  const starts = lengths.map((length) => {
    const start = at;
    at += padded(length);
    return start;
  });
  const words = (section: number) => new Uint32Array(file.buffer, starts[section], (lengths[section] ?? 0) / 4);
  const table: ListTable = {
    slots: words(0),
    nameStarts: words(1),
    names: new Uint8Array(file.buffer, starts[2], lengths[2]),
    flags: words(3),
    sources: words(4),
    providers: new Uint16Array(file.buffer, starts[5], (lengths[5] ?? 0) / 2),
  };
  return { header, table, sizeBytes: file.byteLength };
}

function bytesOf(array: Uint8Array | Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}

function checksum(file: Buffer): number {
  return crc32(file.subarray(preludeBytes), crc32(file.subarray(8, checksumAt)));
}
