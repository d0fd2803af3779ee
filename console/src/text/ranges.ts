import { exact } from './times.ts';

/** Ranges of time up to now, by their names in the URL. */
export const ranges = {
  '1h': 'last hour',
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
} as const;

const hourMs = 3_600_000;
const hours: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

/**
 * The start of "the last n hours", everywhere in the console: a full hour, so that counters and the log agree. The current
 * hour counts in addition. The service computes the same (src/platform/recent-span.ts).
 */
export const startOfHours = (count: number, now: number = Date.now()): Date =>
  new Date(Math.floor(now / hourMs) * hourMs - count * hourMs);

/** The start of a range; undefined for an unknown range. */
export function beginOf(range: string | null, now?: number): string | undefined {
  const length = hours[range ?? ''];
  return length === undefined ? undefined : startOfHours(length, now).toISOString();
}

/** A span of time; `to` is not part of it. */
export interface Span {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Whole days and months of the reader's calendar, by their names in the URL. */
export const calendarSpans = {
  yesterday: 'yesterday',
  'this-month': 'this month',
  'last-month': 'last month',
} as const;

/** The span of a name in the URL: up to now, or of the calendar; null for another name. */
export function spanNamed(name: string | null, now: number = Date.now()): Span | null {
  const begin = beginOf(name, now);
  if (begin !== undefined) return { from: begin };
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  const between = (from: Date, to: Date): Span => ({ from: from.toISOString(), to: to.toISOString() });
  if (name === 'yesterday') return between(new Date(year, month, day - 1), new Date(year, month, day));
  if (name === 'this-month') return { from: new Date(year, month, 1).toISOString() };
  if (name === 'last-month') return between(new Date(year, month - 1, 1), new Date(year, month, 1));
  return null;
}

/** The exact span of a range in the reader's time zone, for hovering. */
export const spanText = (range: string, now?: number): string => `Since ${exact(beginOf(range, now) ?? 0)}`;

interface Hour {
  readonly at: string;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
}

/**
 * Hours summed to periods of a number of hours, aligned with the reader's clock: a period of 24 hours is a calendar day, of
 * 6 hours begins at 0:00, 6:00, 12:00 or 18:00. The first and the last period may be shorter.
 */
export function periodsOf(buckets: readonly Hour[], length: number): Hour[] {
  const periods = new Map<string, Hour>();
  for (const { at, allow, block, challenge } of buckets) {
    const start = new Date(at);
    const period = `${start.toDateString()} ${Math.floor(start.getHours() / length)}`;
    const sum = periods.get(period) ?? { at, allow: 0, block: 0, challenge: 0 };
    periods.set(period, {
      at: sum.at,
      allow: sum.allow + allow,
      block: sum.block + block,
      challenge: sum.challenge + challenge,
    });
  }
  return [...periods.values()];
}
