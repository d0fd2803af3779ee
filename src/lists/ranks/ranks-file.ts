import { crc32 } from 'node:zlib';

/** Where a ranking comes from. */
export interface RanksHeader {
  /** ISO 8601. */
  readonly builtAt: string;
  /** The day of the edition, ISO 8601; absent when it is unknown. */
  readonly date?: string;
  /** What it was read from, in the operator's words or as an address. */
  readonly source: string;
  readonly count: number;
}

/**
 * A ranking in memory: the 64-bit hashes of the names in ascending order, in two halves, and the rank of each. Twelve
 * bytes a name. A name outside the list collides with a hash once in 10^13 queries at a million names, and then gets
 * an authority it does not have: nothing is decided by it alone.
 */
export interface RankTable {
  readonly header: RanksHeader;
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly ranks: Uint32Array;
}

const formatVersion = 1;
const magic = 'SPRANKS\n';
/** Typed arrays are in the machine's own byte order; a file from the other one is not used. */
const byteOrderMark = 0x01020304;
const preludeBytes = 32;

/** The halves of a name's hash. */
export interface NameHash {
  readonly high: number;
  readonly low: number;
}

/** Two multiplicative hashes with different multipliers over the same characters, each mixed at the end. */
function hashName(name: string): NameHash {
  let high = 0x9e3779b9;
  let low = 0x7f4a7c15;
  for (let i = 0; i < name.length; i += 1) {
    const code = name.charCodeAt(i);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 15;
    low = Math.imul(low ^ code, 0xc2b2ae35);
    low ^= low >>> 13;
  }
  return { high: mix(high ^ low), low: mix(low ^ Math.imul(high, 0x27d4eb2f)) };
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
  return (twice ^ (twice >>> 16)) >>> 0;
}

/** The rank of a name, or null. */
export function findRank(table: RankTable, name: string): number | null {
  const at = place(table, hashName(name));
  return at < 0 ? null : (table.ranks[at] as number);
}

/** The index of a hash in the sorted hashes; -1 when it is not there. */
function place({ high, low }: Pick<RankTable, 'high' | 'low'>, hash: NameHash): number {
  let from = 0;
  let to = high.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const difference = (high[middle] as number) - hash.high || (low[middle] as number) - hash.low;
    if (difference === 0) return middle;
    if (difference < 0) from = middle + 1;
    else to = middle;
  }
  return -1;
}

type Row = readonly [name: string, rank: number];

/** A table of names with their ranks; for a duplicate the better rank counts. */
export function buildRanks(rows: readonly Row[], about: Omit<RanksHeader, 'count'>): RankTable {
  const hashes = rows.map(([name]) => hashName(name));
  const sorted = BigUint64Array.from(hashes, ({ high, low }) => (BigInt(high) << 32n) | BigInt(low))
    .sort()
    .filter((hash, index, all) => hash !== all[index - 1]);
  const high = Uint32Array.from(sorted, (hash) => Number(hash >> 32n));
  const low = Uint32Array.from(sorted, (hash) => Number(hash & 0xffffffffn));
  const ranks = new Uint32Array(sorted.length).fill(0xffffffff);
  rows.forEach(([, rank], index) => {
    const at = place({ high, low }, hashes[index] as NameHash);
    ranks[at] = Math.min(ranks[at] as number, rank);
  });
  return { header: { ...about, count: sorted.length }, high, low, ranks };
}

/** Prelude (magic, version, byte order mark, file length, header length, CRC-32 of the rest), header, the three arrays. */
export function encodeRanks({ header, high, low, ranks }: RankTable): Uint8Array {
  const json = Buffer.from(JSON.stringify(header));
  const headerBytes = Math.ceil(json.length / 4) * 4;
  const file = Buffer.alloc(preludeBytes + headerBytes + ranks.length * 12);
  file.write(magic, 0, 'latin1');
  file.fill(' ', preludeBytes, preludeBytes + headerBytes);
  file.set(json, preludeBytes);
  let at = preludeBytes + headerBytes;
  for (const { buffer, byteOffset, byteLength } of [high, low, ranks]) {
    file.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  const checksum = crc32(file.subarray(preludeBytes));
  new Uint32Array(file.buffer, file.byteOffset + 8, 5).set([
    formatVersion,
    byteOrderMark,
    file.length,
    headerBytes,
    checksum,
  ]);
  return file;
}

/** Reads a file without copying its arrays; throws an error that says what is wrong with the bytes. */
export function decodeRanks(bytes: Uint8Array): RankTable {
  const file = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  const buffer = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < preludeBytes || buffer.toString('latin1', 0, 8) !== magic) throw new Error('not a ranking');
  const prelude = new Uint32Array(file.buffer, file.byteOffset + 8, 5);
  const [version, mark, length, headerBytes = 0, checksum] = prelude;
  if (mark !== byteOrderMark) throw new Error('written on a machine with another byte order');
  if (version !== formatVersion) throw new Error(`format ${version}, not ${formatVersion}`);
  if (length !== file.length) throw new Error(`cut: ${file.length} of ${length} bytes`);
  if (crc32(file.subarray(preludeBytes)) !== checksum) throw new Error('checksum does not match');
  const start = preludeBytes + headerBytes;
  const header: RanksHeader = JSON.parse(buffer.toString('utf8', preludeBytes, start));
  const column = (index: number) =>
    new Uint32Array(file.buffer, file.byteOffset + start + index * header.count * 4, header.count);
  return { header, high: column(0), low: column(1), ranks: column(2) };
}
