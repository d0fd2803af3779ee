import { wireTime } from '../http/wire-time.ts';
import type { CreditsThreshold, WebhookEvent } from './events.ts';

/** Of the month's credits, in percent. */
const thresholds = [80, 100];

/** An account's month, and how much of it was used before and after something was. */
export interface MonthUsed {
  readonly startMs: number;
  readonly endMs: number;
  /** 0 when it is not known. */
  readonly limit: number;
  readonly usedBefore: number;
  readonly used: number;
}

/** The thresholds that were crossed; each is told of once a month, also when credits that were given back are used again. */
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
