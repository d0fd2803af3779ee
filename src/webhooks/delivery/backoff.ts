const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The longest delay after each failed attempt: 11 attempts within 24 hours. */
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

/** Upper bound for a receiver's `Retry-After`. */
const maxRetryAfterMs = hour;

/**
 * The delay after this many failed attempts; null after the last one. Jitter shortens it by up to a fifth, so that deliveries that
 * failed together are not retried together. It is never shorter than the receiver's `Retry-After`, up to an hour.
 */
export function retryDelayMs(attempts: number, random: () => number, retryAfterMs: number): number | null {
  const longest = delaysMs[attempts - 1];
  if (longest === undefined) return null;
  return Math.max(Math.round(longest * (1 - 0.2 * random())), Math.min(retryAfterMs, maxRetryAfterMs));
}
