/** Ranges of time up to now, by their names in the URL. */
export const ranges = {
  '1h': 'last hour',
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
} as const;

const hours: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

/** The start of a range, to the minute, so that repeated requests are equal; undefined for an unknown range. */
export function beginOf(range: string | null, now: number = Date.now()): string | undefined {
  const length = hours[range ?? ''];
  if (length === undefined) return undefined;
  return new Date(Math.floor(now / 60_000) * 60_000 - length * 3_600_000).toISOString();
}
