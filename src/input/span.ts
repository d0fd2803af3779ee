import { type Input, refused } from './input.ts';
import { optional } from './object.ts';
import { once } from './parameter.ts';
import { schema } from './schema.ts';

/** A span of time: from its first moment until before its end. */
export interface Span {
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** A date, or a date and a time. A plus that a query turned into a blank is a plus. */
const iso8601 = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[-+ ]\d\d:?\d\d)?)?$/i;

/** A moment, in epoch milliseconds. */
const momentInput: Input<number> = {
  schema: schema.string({ description: 'ISO 8601' }),
  read(value, path, problems) {
    const moment = typeof value === 'string' ? momentOf(value) : null;
    if (moment !== null) return moment;
    problems.add(path, `${path} must be a time of ISO 8601, such as 2026-11-15T00:20:00+00:00.`);
    return refused;
  },
};

interface SpanFields {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The two ends of a span in a body. */
export const spanFields = { from: optional(momentInput), to: optional(momentInput) };

/** The two ends of a span in a query. */
export const spanParameters = { from: optional(once(momentInput)), to: optional(once(momentInput)) };

/** Reports a span that ends before it begins. */
export function checkSpan({ from, to }: SpanFields, report: (field: 'from', message: string) => void): void {
  if (from !== undefined && to !== undefined && from > to) report('from', 'from must not be after to.');
}

/** The span between two ends, either of which may be open. */
export function spanOf({ from, to }: SpanFields): Span {
  return { ...(from === undefined ? {} : { fromMs: from }), ...(to === undefined ? {} : { toMs: to }) };
}

/** A moment of ISO 8601 in epoch milliseconds; null for any other text. */
export function momentOf(text: string): number | null {
  const parts = iso8601.exec(text);
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const milliseconds = Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000);
  const time = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  const date = new Date(time);
  // 30 February would become 2 March.
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour;
  if (!exists || minute > 59 || second > 59 || year < 1970) return null;
  const offset = offsetMs(parts[8] ?? 'Z');
  const moment = offset === null ? Number.NaN : time - offset;
  return moment <= lastMs ? moment : null;
}

/** The end of the year 9999: later moments have no form in ISO 8601 with four digits. */
const lastMs = Date.UTC(10_000, 0) - 1;
/** The largest offset in use, of Kiribati. */
const maxOffsetMinutes = 14 * 60;

/** The distance of a zone from UTC; null for one that does not exist. */
function offsetMs(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  if (Number(zone.slice(-2)) > 59 || minutes > maxOffsetMinutes) return null;
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
