export const hourMs = 3_600_000;

/**
 * The start of "the last 7 days": a full hour, so that hourly counters and the log agree. The current hour counts in addition.
 * The console's pages compute the same (console/src/text/ranges.ts).
 */
export const recentFrom = (nowMs: number, spanMs: number): number => nowMs - (nowMs % hourMs) - spanMs;
