import type { Call } from '../../http/endpoint.ts';
import { oneOf, schema } from '../../http/schema.ts';
import { hourMs } from '../decisions/decision-counts.ts';
import { readChoice, readQuery, readSpan } from '../query-value.ts';

const intervals = ['hour', 'day'] as const;

/** Which counts are wanted, in whole buckets. */
export interface StatsQuery {
  /** The beginning of the first hour. */
  readonly fromMs: number;
  /** Hours that begin before this moment count. */
  readonly toMs: number;
  readonly bucketMs: number;
}

const dayMs = 24 * hourMs;
/** What is shown when `from` is not sent, and the longest span that is. */
const spans = {
  hour: { bucketMs: hourMs, defaultMs: 2 * dayMs, maxMs: 31 * dayMs },
  day: { bucketMs: dayMs, defaultMs: 30 * dayMs, maxMs: 400 * dayMs },
};

const time = schema.string({ description: 'ISO 8601' });

/** The query parameters of the statistics. */
export const statsQuerySchema = schema.object({
  from: schema.optional(time),
  to: schema.optional(time),
  interval: schema.optional(oneOf(intervals, { default: 'day' })),
});

/** Reads the query of the statistics. */
export function readStatsQuery(query: Call['query'], nowMs: number): StatsQuery {
  return readQuery(query, (values) => {
    const { problems } = values;
    const interval = readChoice(values, 'interval', intervals) ?? 'day';
    const span = readSpan({ from: values.text('from'), to: values.text('to') }, problems);
    const { bucketMs, defaultMs, maxMs } = spans[interval];
    const toMs = span.toMs ?? Math.max(nowMs + 1, span.fromMs ?? 0);
    const fromMs = span.fromMs ?? toMs - defaultMs;
    if (toMs - fromMs > maxMs) {
      problems.add('from', `By ${interval}, at most ${maxMs / dayMs} days can be shown at once.`);
    }
    return { fromMs: fromMs - (fromMs % hourMs), toMs, bucketMs };
  });
}
