import { wireTime } from '../http/wire-time.ts';
import type { CreditsThreshold, WebhookEvent } from './events.ts';

/** Percentages of the month's credits. */
const thresholds = [80, 100];

/** An account's month, and the credits used before and after a charge. */
export interface MonthUsed {
  readonly startMs: number;
  readonly endMs: number;
  /** 0 when unknown. */
  readonly limit: number;
  readonly usedBefore: number;
  readonly used: number;
}

/** Events for the thresholds that a charge crossed. The key limits each to one a month, even if refunded credits cross it again. */
export function thresholdEvents(month: MonthUsed, nowMs: number): (CreditsThreshold & WebhookEvent)[] {
  const { limit, usedBefore, used, startMs, endMs } = month;
  if (limit <= 0) return [];
  const crossed = thresholds.filter((percent) => usedBefore * 100 < percent * limit && used * 100 >= percent * limit);
  return crossed.map((percent) => ({
    type: 'credits.threshold',
    data: {
      threshold_percent: percent,
      used,
      limit,
      period_start: wireTime(startMs),
      period_end: wireTime(endMs),
    },
    atMs: nowMs,
    key: `credits ${startMs} ${percent}`,
  }));
}
