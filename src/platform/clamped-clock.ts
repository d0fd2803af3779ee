/** How far the wall clock may run ahead of the elapsed time; beyond that it was set. */
const toleranceMs = 3_600_000;

/**
 * The wall clock, but never far ahead of its value at the start plus the elapsed time. Retention uses it: a clock set ahead by
 * mistake must not expire everything. A wall clock that stays ahead for `believedAfterMs` was corrected, or the machine slept: it
 * is followed from then on. Elapsed time has fractions of a millisecond; the clock has none.
 */
export function createClampedClock(
  now: () => number,
  monotonicMs: () => number,
  believedAfterMs = Number.POSITIVE_INFINITY,
): () => number {
  let offsetMs = now() - monotonicMs();
  let aheadSinceMs: number | null = null;
  return () => {
    const [wallMs, elapsedMs] = [now(), monotonicMs()];
    const limitMs = offsetMs + elapsedMs + toleranceMs;
    if (wallMs <= limitMs) aheadSinceMs = null;
    else aheadSinceMs ??= elapsedMs;
    if (aheadSinceMs === null) return Math.floor(wallMs);
    if (elapsedMs - aheadSinceMs < believedAfterMs) return Math.floor(limitMs);
    offsetMs = wallMs - elapsedMs;
    aheadSinceMs = null;
    return Math.floor(wallMs);
  };
}
