import type { ObservedRow } from './observed-row.ts';

/** Reads a number of a row. */
export type ReadRow = (row: ObservedRow) => number;

const minSlots = 16;
/** Reused: a `Set` would allocate each number and its entry, a considerable part of a round during an attack. */
let slots = new Float64Array(minSlots);

/** How many different numbers rows have. */
export function countDistinct(rows: readonly ObservedRow[], read: ReadRow): number {
  const bits = Math.ceil(Math.log2(Math.max(minSlots, rows.length * 2)));
  if (slots.length < 2 ** bits) slots = new Float64Array(2 ** bits);
  else slots.fill(0, 0, 2 ** bits);
  const mask = 2 ** bits - 1;
  let distinct = 0;
  let hasZero = false;
  for (const row of rows) {
    const number = read(row);
    if (number === 0) {
      hasZero = true;
      continue;
    }
    let slot = (Math.imul(number | 0, 0x9e3779b1) >>> (32 - bits)) & mask;
    while (slots[slot] !== 0 && slots[slot] !== number) slot = (slot + 1) & mask;
    if (slots[slot] === number) continue;
    slots[slot] = number;
    distinct += 1;
  }
  return distinct + (hasZero ? 1 : 0);
}

/** Whether rows have at least so many different numbers, which are few. */
export function hasDistinct(rows: readonly ObservedRow[], read: ReadRow, count: number): boolean {
  const seen: number[] = [];
  for (const row of rows) {
    if (seen.length >= count) break;
    const number = read(row);
    if (!seen.includes(number)) seen.push(number);
  }
  return seen.length >= count;
}

/** The number that at least this share of the rows has, which is more than half; 0 without one. */
export function sharedBy(rows: readonly ObservedRow[], read: ReadRow, share: number): number {
  let candidate = 0;
  let votes = 0;
  // A number of more than half of the rows has votes left in the end (Boyer and Moore, "MJRTY", 1981).
  for (const row of rows) {
    const number = read(row);
    if (votes === 0) candidate = number;
    votes += number === candidate ? 1 : -1;
  }
  if (candidate === 0) return 0;
  return countWhere(rows, (row) => read(row) === candidate) >= rows.length * share ? candidate : 0;
}

/** How many rows are so. */
export function countWhere(rows: readonly ObservedRow[], isSo: (row: ObservedRow) => boolean): number {
  let count = 0;
  for (const row of rows) if (isSo(row)) count += 1;
  return count;
}
