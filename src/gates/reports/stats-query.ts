import { type Input, into } from '../../input/input.ts';
import { defaulted } from '../../input/object.ts';
import { query, word } from '../../input/parameter.ts';
import { checkSpan, spanParameters } from '../../input/span.ts';
import { hourMs } from '../decisions/decision-counts.ts';

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
/** For each interval, the span shown when `from` is not sent, and the maximum span. */
const spans = {
  hour: { bucketMs: hourMs, defaultMs: 2 * dayMs, maxMs: 31 * dayMs },
  day: { bucketMs: dayMs, defaultMs: 30 * dayMs, maxMs: 400 * dayMs },
};

interface Sent {
  readonly interval?: (typeof intervals)[number];
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export function statsQuery(now: () => number): Input<StatsQuery> {
  const endsOf = ({ interval = 'day', from, to }: Sent) => {
    const toMs = to ?? Math.max(now() + 1, from ?? 0);
    return { toMs, fromMs: from ?? toMs - spans[interval].defaultMs };
  };
  const parameters = { ...spanParameters, interval: defaulted(word(intervals), 'day') };
  const sent = query(parameters, {
    together(fields, report) {
      checkSpan(fields, report);
      const { interval = 'day' } = fields;
      const { fromMs, toMs } = endsOf(fields);
      const { maxMs } = spans[interval];
      if (toMs - fromMs > maxMs) report('from', `By ${interval}, at most ${maxMs / dayMs} days can be shown.`);
    },
  });
  return into(sent, (fields) => {
    const { fromMs, toMs } = endsOf(fields);
    return { fromMs: fromMs - (fromMs % hourMs), toMs, bucketMs: spans[fields.interval].bucketMs };
  });
}
