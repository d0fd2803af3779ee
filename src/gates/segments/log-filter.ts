import { firstIdAt, type LogFilter, type LoggedRow } from '../decisions/decisions-store.ts';
import { normalKeyOf } from '../decisions/logged-decision.ts';
import type { IdSpan } from './segments-store.ts';

/** A filter's time span and cursor as a span of ids: ids begin with their time. */
export function idSpan({ fromMs, toMs, beforeId, fromId = '', ids }: LogFilter): IdSpan {
  const sorted = ids === undefined ? null : [...ids].sort();
  const ends = [toMs === undefined ? afterAll : firstIdAt(toMs), beforeId ?? afterAll];
  const begins = [fromMs === undefined ? '' : firstIdAt(fromMs), fromId];
  if (sorted !== null) {
    begins.push(sorted[0] ?? afterAll);
    ends.push(`${sorted.at(-1) ?? ''}0`);
  }
  return { from: begins.sort().at(-1) ?? '', before: ends.sort()[0] ?? afterAll };
}

/** Greater than every ULID: they begin with 7 at most. */
const afterAll = '8';

/** Whether an entry belongs to one of the gates and matches the filter, outcomes aside. */
export function matches(row: LoggedRow, gateIds: readonly string[], filter: LogFilter, span: IdSpan): boolean {
  const { emailKeys, normalKeys, ids, domain, ips, action, ruleId } = filter;
  return (
    gateIds.includes(row.gateId) &&
    row.id >= span.from &&
    row.id < span.before &&
    (emailKeys === undefined || (row.emailKey !== null && emailKeys.includes(row.emailKey))) &&
    (ids === undefined || ids.has(row.id)) &&
    (normalKeys === undefined || normalKeys.has(normalKeyOf(row) ?? '')) &&
    (domain === undefined || row.domain === domain) &&
    (ips === undefined || (row.ip !== null && ips.includes(row.ip))) &&
    (action === undefined || row.action === action) &&
    (ruleId === undefined || row.ruleId === ruleId)
  );
}
