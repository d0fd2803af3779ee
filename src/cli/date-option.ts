import { type Invocation, UsageError } from './command.ts';

/** The moment an option names: a day (its beginning in UTC) or a time in ISO 8601; undefined when it is not given. */
export function dateOption({ options }: Invocation, name: string): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const atMs = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs) || !isSameDay(text, atMs)) {
    throw new UsageError(`--${name} is a date such as 2027-01-31 or 2027-01-31T12:00:00Z, not "${text}"`);
  }
  return atMs;
}

/** `Date.parse` makes 2 March of 30 February. */
function isSameDay(text: string, atMs: number): boolean {
  return text.length > 10 || new Date(atMs).toISOString().startsWith(text);
}
