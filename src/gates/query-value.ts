import { AppError } from '../errors.ts';
import type { Call } from '../http/endpoint.ts';
import { createProblems, type Problems } from './rules/problems.ts';

/** Reads the query of a request with every problem reported at once. */
export function readQuery<T>(query: Call['query'], read: (values: QueryValues) => T): T {
  const problems = createProblems();
  const value = read({
    problems,
    text(name) {
      const given = query[name];
      if (given === undefined || typeof given === 'string') return given;
      problems.add(name, `The ${name} parameter must be sent once.`);
      return undefined;
    },
  });
  if (problems.count > 0) throw new AppError('validation_failed', { errors: problems.toFieldErrors() });
  return value;
}

/** The parameters of a query. */
export interface QueryValues {
  readonly problems: Problems;
  /** Undefined when the parameter was not sent, or was sent twice, which is then among the problems. */
  text(name: string): string | undefined;
}

/** One of a few words. */
export function readChoice<T extends string>(
  { text, problems }: QueryValues,
  name: string,
  choices: readonly T[],
): T | undefined {
  const given = text(name);
  if (given === undefined) return undefined;
  const found = choices.find((choice) => choice === given);
  if (found === undefined) problems.add(name, `The ${name} parameter must be one of: ${choices.join(', ')}.`);
  return found;
}

/** A span of time: from its first moment until before its end. */
export interface Span {
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** Reads `from` and `to`, from a query or a body. */
export function readSpan(given: { readonly from: unknown; readonly to: unknown }, problems: Problems): Span {
  const fromMs = readMoment(given.from, 'from', problems);
  const toMs = readMoment(given.to, 'to', problems);
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) problems.add('from', 'from must not be after to.');
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) };
}

/** A date, or a date and a time. A plus that a query turned into a blank is a plus. */
const iso8601 = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[-+ ]\d\d:?\d\d)?)?$/i;

function readMoment(given: unknown, path: string, problems: Problems): number | undefined {
  if (given === undefined) return undefined;
  const moment = typeof given === 'string' ? momentOf(given) : null;
  if (moment !== null) return moment;
  problems.add(path, `${path} must be a time of ISO 8601, such as 2026-11-15T00:20:00+00:00.`);
  return undefined;
}

function momentOf(text: string): number | null {
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
  return time - offsetMs(parts[8] ?? 'Z');
}

function offsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
