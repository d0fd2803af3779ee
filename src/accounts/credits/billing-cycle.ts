/** One billing month: from `startMs` until just before `endMs`. */
export interface BillingCycle {
  readonly startMs: number;
  readonly endMs: number;
}

/** The cycle that `nowMs` falls into: it begins on the account's day of the month, clamped to the month's length, at 00:00 UTC. */
export function billingCycle(accountCreatedAtMs: number, nowMs: number): BillingCycle {
  const day = new Date(accountCreatedAtMs).getUTCDate();
  const now = new Date(nowMs);
  const month = now.getUTCFullYear() * 12 + now.getUTCMonth();
  const thisMonth = startIn(month, day);
  return nowMs >= thisMonth
    ? { startMs: thisMonth, endMs: startIn(month + 1, day) }
    : { startMs: startIn(month - 1, day), endMs: thisMonth };
}

function startIn(monthsSinceYearZero: number, day: number): number {
  const year = Math.floor(monthsSinceYearZero / 12);
  const month = monthsSinceYearZero % 12;
  const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, daysInMonth));
}
