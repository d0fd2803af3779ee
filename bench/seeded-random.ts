/** Random numbers that are the same in every run (the mulberry32 generator). */
export interface SeededRandom {
  /** 0 to `below` - 1. */
  integer(below: number): number;
  pick<T>(items: readonly T[]): T;
  /** Letters and digits. */
  label(length: number): string;
  /** Random items, each at most once. */
  sample<T>(items: readonly T[], count: number): T[];
}

/** A generator that starts from `seed`. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  const integer = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
  const pick = <T>(items: readonly T[]): T => items[integer(items.length)] as T;
  return {
    integer,
    pick,
    label: (length) => Array.from({ length }, () => pick([...'abcdefghijklmnopqrstuvwxyz0123456789'])).join(''),
    sample(items, count) {
      const left = [...items];
      const wanted = Math.min(count, left.length);
      return Array.from({ length: wanted }, () => left.splice(integer(left.length), 1)).flat();
    },
  };
}
