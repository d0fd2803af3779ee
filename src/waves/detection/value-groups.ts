import type { YieldWhenDue } from '../../platform/yielding.ts';
import { countDistinct } from './distinct.ts';
import type { DetectedKind } from './kinds.ts';
import type { ObservedRow } from './observed-row.ts';
import { thresholds } from './thresholds.ts';

/** The rows of a window that share a value. */
export interface ValueGroup {
  readonly key: number;
  readonly rows: readonly ObservedRow[];
}

/** How many rows the values of a window have, without those of groups. */
export interface PeerCounts {
  /** Values in the window, groups included. */
  readonly values: number;
  /** The number of values by their number of rows; groups are left out. */
  readonly small: readonly number[];
  /** The rows of each group, ascending, and their sums. */
  readonly large: readonly number[];
  readonly sizes: SizeSums;
}

/** Sums over some sizes, and the largest of them. */
export interface SumsOfSizes {
  readonly number: number;
  readonly sum: number;
  readonly squares: number;
  readonly largest: number;
}

/** Sizes of groups with prefix sums, because each of thousands of groups is compared with the sums of the others. */
export class SizeSums {
  readonly #sorted: Float64Array;
  /** The sums of the sizes, and of their squares, before each one. */
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;

  constructor(sizes: readonly number[]) {
    this.#sorted = Float64Array.from(sizes).sort();
    this.#sums = new Float64Array(sizes.length + 1);
    this.#squares = new Float64Array(sizes.length + 1);
    for (const [index, size] of this.#sorted.entries()) {
      this.#sums[index + 1] = (this.#sums[index] as number) + size;
      this.#squares[index + 1] = (this.#squares[index] as number) + size * size;
    }
  }

  get length(): number {
    return this.#sorted.length;
  }

  /** Sums over at most `count` of the smallest sizes, leaving out one that equals `own`, which must be among them. */
  smallest(own: number, count: number): SumsOfSizes {
    const number = Math.max(0, Math.min(count, this.length - 1));
    const isOwnAmong = number > 0 && own <= (this.#sorted[number - 1] as number);
    const end = isOwnAmong ? number + 1 : number;
    return {
      number,
      sum: (this.#sums[end] as number) - (isOwnAmong ? own : 0),
      squares: (this.#squares[end] as number) - (isOwnAmong ? own * own : 0),
      largest: number === 0 ? 0 : (this.#sorted[end - 1] as number),
    };
  }
}

/** Rows by one kind's values: values with enough rows are groups, the others are counted. */
export interface GroupedValues {
  readonly groups: readonly ValueGroup[];
  readonly peers: PeerCounts;
}

/** Slots for each row, so that few values share one. */
const slotsPerRow = 4;
const minSlotBits = 8;
const maxSlotBits = 20;
const largestShare = 0.1;

/** Decides which rows of a window count for a kind. */
export type KeyOfRow = (row: ObservedRow) => number;

/**
 * Groups rows by their values of a kind. Nearly all values have few rows, and a map entry for each would cost most of a round: one pass
 * counts rows in slots, a second one groups rows whose slot has enough.
 */
export async function groupValues(
  rows: readonly ObservedRow[],
  keyOf: KeyOfRow,
  minRows: number,
  yieldWhenDue: YieldWhenDue,
): Promise<GroupedValues> {
  const bits = Math.min(maxSlotBits, Math.max(minSlotBits, Math.ceil(Math.log2(rows.length * slotsPerRow + 1))));
  const slotOf = (key: number): number => Math.imul(key | 0, 0x9e3779b1) >>> (32 - bits);
  // A slot counts no further than to `minRows`.
  const slots = new Uint16Array(2 ** bits);
  const small = new Array<number>(minRows).fill(0);
  const keys = new Float64Array(rows.length);
  let hasGroups = false;
  for (let index = 0; index < rows.length; index += 1) {
    // Reading the clock for every row takes as long as counting it.
    const turn = index % 256 === 0 ? yieldWhenDue() : null;
    if (turn !== null) await turn;
    const key = keyOf(rows[index] as ObservedRow);
    if (key === 0) continue;
    keys[index] = key;
    const slot = slotOf(key);
    const count = slots[slot] as number;
    if (count === minRows) continue;
    slots[slot] = count + 1;
    if (count > 0) small[count] = (small[count] as number) - 1;
    if (count + 1 < minRows) small[count + 1] = (small[count + 1] as number) + 1;
    else hasGroups = true;
  }
  const groups = new Map<number, ObservedRow[]>();
  let last: { readonly key: number; readonly rows: ObservedRow[] } = { key: 0, rows: [] };
  for (let index = 0; hasGroups && index < rows.length; index += 1) {
    const turn = index % 256 === 0 ? yieldWhenDue() : null;
    if (turn !== null) await turn;
    const key = keys[index] as number;
    if (key === 0 || (slots[slotOf(key)] as number) < minRows) continue;
    if (key !== last.key) {
      last = { key, rows: groups.get(key) ?? [] };
      if (last.rows.length === 0) groups.set(key, last.rows);
    }
    last.rows.push(rows[index] as ObservedRow);
  }
  const large = [...groups].map(([key, own]) => ({ key, rows: own }));
  return { groups: large, peers: peersOf(small, large) };
}

function peersOf(small: readonly number[], groups: readonly ValueGroup[]): PeerCounts {
  const large = groups.map(({ rows }) => rows.length).sort((one, other) => one - other);
  return {
    values: small.reduce((sum, count) => sum + count, 0) + large.length,
    small,
    large,
    sizes: new SizeSums(large),
  };
}

/** The average of a value's peers without the largest tenth. A few peers with one row are always assumed, so that two attacks hide no third. */
export function trimmedMeanOf({ small, sizes, values }: PeerCounts, own: number): number {
  const { minCompared } = thresholds;
  const kept = Math.floor((values - 1 + minCompared) * (1 - largestShare));
  let left = kept - minCompared;
  let sum: number = minCompared;
  for (const [count, number] of small.entries()) {
    const taken = Math.max(0, Math.min(left, number));
    sum += taken * count;
    left -= taken;
  }
  return (sum + sizes.smallest(own, left).sum) / kept;
}

/** Distinct members of rows. */
export function countMembers(rows: readonly ObservedRow[], { memberOf }: DetectedKind): number {
  return countDistinct(rows, memberOf);
}
