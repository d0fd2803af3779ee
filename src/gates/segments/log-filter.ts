import { firstIdAt, type LogFilter, type LoggedRow } from '../decisions/decisions-store.ts';
import type { IdSpan } from './segments-store.ts';

/** A filter's span of time and place in the log as a span of ids: ids begin with their time. */
export function idSpan({ fromMs, toMs, beforeId }: LogFilter): IdSpan {
  const ends = [toMs === undefined ? afterAll : firstIdAt(toMs), beforeId ?? afterAll];
  return { from: fromMs === undefined ? '' : firstIdAt(fromMs), before: ends.sort()[0] ?? afterAll };
}

/** Greater than every ULID: they begin with 7 at most. */
const afterAll = '8';

/** Whether an entry of the gate is one that the filter asks for. */
export function matches(row: LoggedRow, gateId: string, filter: LogFilter, span: IdSpan): boolean {
  const { emailKeys, domain, ips, action, ruleId } = filter;
  return (
    row.gateId === gateId &&
    row.id >= span.from &&
    row.id < span.before &&
    (emailKeys === undefined || (row.emailKey !== null && emailKeys.includes(row.emailKey))) &&
    (domain === undefined || row.domain === domain) &&
    (ips === undefined || (row.ip !== null && ips.includes(row.ip))) &&
    (action === undefined || row.action === action) &&
    (ruleId === undefined || row.ruleId === ruleId)
  );
}
