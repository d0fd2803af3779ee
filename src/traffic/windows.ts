/** The width of a bucket: a window is at most this much too long, one twelfth of an hour. */
export const bucketMs = 300_000;
/** A window includes the current bucket and this many before it. */
export const hourBuckets = 12;
export const dayBuckets = 288;

/** Buckets are stored relative to a base, in 9 bits. */
export const storedBuckets = 512;
/** A base is this many buckets before the time it is chosen: members of the last day fit, and the next 17 hours. */
export const baseBefore = 300;

/** The number of the bucket that a moment is in. */
export function bucketOf(atMs: number): number {
  return Math.floor(atMs / bucketMs);
}

/** How many distinct members a key has in the two windows that end now; including the given member. */
export interface WindowCounts {
  hour: number;
  day: number;
}
