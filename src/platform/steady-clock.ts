/** How far the wall clock may run ahead of the time that passed; more than that, somebody has set it. */
const toleranceMs = 3_600_000;

/**
 * The wall clock, but never far ahead of where it stood at the start plus the time that passed since: a clock set ahead by mistake
 * must not make everything old at once. For what removes things by their age.
 */
export function steadyClock(now: () => number, monotonicMs: () => number): () => number {
  const offsetMs = now() - monotonicMs();
  return () => Math.min(now(), offsetMs + monotonicMs() + toleranceMs);
}
