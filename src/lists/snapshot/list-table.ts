/** One name on its way into a table. */
export interface ListEntry {
  /** ASCII, lower case. */
  readonly name: string;
  readonly flags: number;
  /** One bit a source. */
  readonly sources: number;
  /** 1-based number of the provider; 0 is none. */
  readonly provider: number;
}

/**
 * A hash table of names in typed arrays: open addressing, at most half full. A slot holds the entry's number + 1 in its
 * low bits and the spare high bits of the hash, so most foreign entries are passed over without touching their names;
 * a hit is always confirmed against the name itself, so answers are exact.
 */
export interface ListTable {
  readonly slots: Uint32Array;
  /** `size + 1` offsets into `names`. */
  readonly nameStarts: Uint32Array;
  readonly names: Uint8Array;
  readonly flags: Uint32Array;
  readonly sources: Uint32Array;
  readonly providers: Uint16Array;
}

/** Start of a hash that runs over a name from its end, so that one pass meets every parent. */
export const hashSeed = 0x811c9dc5;

/** Takes one more character, to the left, into the hash (FNV-1a's step). */
export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** FNV's low bits depend on few input bits; spread them before they choose a slot. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

function hashOf(name: string): number {
  let hash = hashSeed;
  for (let i = name.length - 1; i >= 0; i -= 1) hash = hashStep(hash, name.charCodeAt(i));
  return hash;
}

/** The bits of a slot that hold the entry's number. */
function numberMask(size: number): number {
  return -1 >>> Math.clz32(size | 1);
}

/** A table of the entries, whose names must be unique. The same entries in any order give the same table. */
export function buildTable(entries: readonly ListEntry[]): ListTable {
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const size = sorted.length;
  const slots = new Uint32Array(2 ** Math.max(3, Math.ceil(Math.log2(size * 2 + 1))));
  const nameStarts = new Uint32Array(size + 1);
  const mask = numberMask(size);
  let end = 0;
  sorted.forEach(({ name }, index) => {
    const hash = spread(hashOf(name));
    let slot = hash & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = (hash & ~mask) | (index + 1);
    end += name.length;
    nameStarts[index + 1] = end;
  });
  return {
    slots,
    nameStarts,
    names: Uint8Array.from(Buffer.from(sorted.map((entry) => entry.name).join(''), 'latin1')),
    flags: Uint32Array.from(sorted, (entry) => entry.flags),
    sources: Uint32Array.from(sorted, (entry) => entry.sources),
    providers: Uint16Array.from(sorted, (entry) => entry.provider),
  };
}

/** The number of the entry equal to the end of `name` from `start`, whose hash is given; -1 when there is none. */
export function findEntry(table: ListTable, name: string, start: number, hash: number): number {
  const { slots } = table;
  const mask = numberMask(table.flags.length);
  const wanted = spread(hash);
  for (let slot = wanted & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
    const found = slots[slot] as number;
    if (found === 0) return -1;
    if (((found ^ wanted) & ~mask) === 0 && isNamed(table, (found & mask) - 1, name, start)) return (found & mask) - 1;
  }
}

/** The number of the entry of a name; -1 when there is none. */
export function findName(table: ListTable, name: string): number {
  return findEntry(table, name, 0, hashOf(name));
}

function isNamed(table: ListTable, entry: number, name: string, start: number): boolean {
  const { names, nameStarts } = table;
  const from = nameStarts[entry] as number;
  if ((nameStarts[entry + 1] as number) - from !== name.length - start) return false;
  for (let i = start, j = from; i < name.length; i += 1, j += 1) {
    if (names[j] !== name.charCodeAt(i)) return false;
  }
  return true;
}

export function entryName(table: ListTable, entry: number): string {
  return Buffer.from(table.names.subarray(table.nameStarts[entry], table.nameStarts[entry + 1])).toString('latin1');
}
