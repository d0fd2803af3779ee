import type { Slot } from './cells.ts';

/** The number is between low and high, both included. */
const inside = 0;
/** The number is below low or above high. */
const outside = 1;
/** The number is one of some. */
const member = 2;
/** Anything else. */
const called = 3;

/** A compiled condition as plain data: most are a number and a range, and need no call. */
export interface Check {
  readonly kind: number;
  readonly slot: Slot;
  readonly low: number;
  readonly high: number;
  /** From `low` on, 1 for each number that is meant. */
  readonly members: Uint8Array;
  readonly call: () => boolean;
}

/** The checks of a whole gate, by their index. */
export interface Checks {
  readonly length: number;
  /** Whether a check holds for the numbers at hand. On an unknown number (NaN) neither side of a range holds. */
  holds(index: number): boolean;
}

/** Checks side by side in tables, where the numbers that a loop over them compares are read without a detour. */
export function createChecks(checks: readonly Check[], numbers: Float64Array): Checks {
  const kinds = Uint8Array.from(checks, ({ kind }) => kind);
  const slots = Uint8Array.from(checks, ({ slot }) => slot);
  const lows = Float64Array.from(checks, ({ low }) => low);
  const highs = Float64Array.from(checks, ({ high }) => high);
  const members = checks.map((check) => check.members);
  const calls = checks.map(({ call }) => call);
  return {
    length: checks.length,
    holds(index) {
      const kind = kinds[index] as number;
      if (kind === called) return (calls[index] as () => boolean)();
      const value = numbers[slots[index] as number] as number;
      const low = lows[index] as number;
      const high = highs[index] as number;
      if (kind === outside) return value < low || value > high;
      if (!(value >= low && value <= high)) return false;
      return kind === inside || (members[index] as Uint8Array)[value - low] === 1;
    },
  };
}

const unused: Check = {
  kind: called,
  slot: 0,
  low: 0,
  high: 0,
  members: new Uint8Array(0),
  call: () => false,
};

/** Holds when the number is between low and high, both included. */
export function insideCheck(slot: Slot, low: number, high: number): Check {
  return { ...unused, kind: inside, slot, low, high };
}

/** Holds when the number is known and not between low and high. */
export function outsideCheck(slot: Slot, low: number, high: number): Check {
  return { ...unused, kind: outside, slot, low, high };
}

/** Holds when the number is low plus an index at which `members` is 1. */
export function memberCheck(slot: Slot, low: number, members: Uint8Array): Check {
  return { ...unused, kind: member, slot, low, high: low + members.length - 1, members };
}

/** Holds when the function says so. */
export function calledCheck(call: () => boolean): Check {
  return { ...unused, call };
}
