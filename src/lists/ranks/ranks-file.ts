import { decodeSections, encodeSections, type SectionFormat } from '../../files/section-file.ts';

/** Where a ranking comes from. */
export interface RanksHeader {
  /** ISO 8601. */
  readonly builtAt: string;
  /** The day of the edition, ISO 8601; absent when it is unknown. */
  readonly date?: string;
  /** The origin of the ranks, in the operator's words or as an address. */
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

const format: SectionFormat<RanksHeader> = {
  name: 'a ranking',
  magic: 'SPRANKS\n',
  version: 1,
  lengthsOf: ({ count }) => [count, count, count].map((words) => words * 4),
};

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

export function encodeRanks({ header, high, low, ranks }: RankTable): Uint8Array {
  return encodeSections(format, header, [high, low, ranks]);
}

/** Reads a file without copying its arrays; throws an error that says what is wrong with the bytes. */
export function decodeRanks(bytes: Uint8Array): RankTable {
  const { header, words } = decodeSections(format, bytes);
  return { header, high: words(0), low: words(1), ranks: words(2) };
}
