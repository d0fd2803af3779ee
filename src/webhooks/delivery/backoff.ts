const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after each try that failed the next one comes, at most: 11 tries within 24 hours. */
const delaysMs = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  6 * hour,
  10 * hour,
];

/** A receiver that asks for more time gets so much of it. */
const mostAskedMs = hour;

/**
 * How long to wait after so many tries that failed; null when that was the last. Up to a fifth less by chance, so that what failed
 * together does not come together again; no less than the receiver asked for, up to an hour.
 */
export function retryDelayMs(attempts: number, random: () => number, askedMs: number): number | null {
  const longest = delaysMs[attempts - 1];
  if (longest === undefined) return null;
  return Math.max(Math.round(longest * (1 - 0.2 * random())), Math.min(askedMs, mostAskedMs));
}
