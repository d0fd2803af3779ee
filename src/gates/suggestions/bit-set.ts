/** A set of rows as bits. */
export type BitSet = Uint32Array;

/** The rows for which something holds, by their position in `rows`. */
export function bitSetOf(rows: readonly number[], holds: (row: number) => boolean): BitSet {
  const bits = new Uint32Array(Math.ceil(rows.length / 32));
  for (let position = 0; position < rows.length; position += 1) {
    if (holds(rows[position] ?? 0)) bits[position >>> 5] = (bits[position >>> 5] ?? 0) | (1 << (position & 31));
  }
  return bits;
}

/** The rows in both sets. */
export function intersection(one: BitSet, other: BitSet): BitSet {
  return one.map((word, index) => word & (other[index] ?? 0));
}

/** How many rows are in both sets. */
export function countBoth(one: BitSet, other: BitSet): number {
  let count = 0;
  for (let index = 0; index < one.length; index += 1) count += onesIn((one[index] ?? 0) & (other[index] ?? 0));
  return count;
}

/** How many rows are in the set. */
export function count(bits: BitSet): number {
  return countBoth(bits, bits);
}

/** Hamming weight in parallel (Hacker's Delight, 5-1). */
function onesIn(word: number): number {
  let ones = word - ((word >>> 1) & 0x55555555);
  ones = (ones & 0x33333333) + ((ones >>> 2) & 0x33333333);
  return Math.imul((ones + (ones >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
