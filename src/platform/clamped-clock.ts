/** How far the wall clock may run ahead of the elapsed time; beyond that it was set. */
const toleranceMs = 3_600_000;

/**
 * The wall clock, but never far ahead of its value at the start plus the elapsed time. Retention uses it: a clock set ahead by
 * mistake must not expire everything. Elapsed time has fractions of a millisecond; the clock has none.
 */
export function createClampedClock(now: () => number, monotonicMs: () => number): () => number {
  const offsetMs = now() - monotonicMs();
  return () => Math.floor(Math.min(now(), offsetMs + monotonicMs() + toleranceMs));
}
