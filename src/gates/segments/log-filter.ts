import { firstIdAt } from '../../ulid.ts';
import { keysOf } from '../decisions/decision-entry.ts';
import type { EntryKeys, LogFilter, LoggedRow } from '../decisions/decisions-store.ts';
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
  const { emailKeys, ids, eitherId, domain, ips, actions, ruleId } = filter;
  return (
    gateIds.includes(row.gateId) &&
    row.id >= span.from &&
    row.id < span.before &&
    (emailKeys === undefined || (row.emailKey !== null && emailKeys.includes(row.emailKey))) &&
    (ids === undefined || ids.has(row.id)) &&
    (eitherId === undefined || row.id === eitherId || isOfRequest(row, eitherId)) &&
    (domain === undefined || row.domain === domain) &&
    (ips === undefined || (row.ip !== null && ips.includes(row.ip))) &&
    (actions === undefined || actions.includes(row.action)) &&
    (ruleId === undefined || row.ruleId === ruleId) &&
    (!usesKeys(filter) || matchesKeys(row, keysOf(row), filter))
  );
}

/** An entry begins with the id of its request. */
const isOfRequest = ({ entry }: LoggedRow, requestId: string): boolean => entry.startsWith(`["${requestId}"`);

/** Whether only the entry itself, and no column of a row, decides about a part of the filter. */
export function needsEntries(filter: LogFilter): boolean {
  return filter.ids !== undefined || filter.eitherId !== undefined || usesKeys(filter);
}

/** Whether a filter is about more than the columns of a row. */
function usesKeys(filter: LogFilter): boolean {
  const { normalKeys, source, country, network, deviceKeys, matchedRuleId } = filter;
  return [normalKeys, source, country, network, deviceKeys, matchedRuleId].some((wanted) => wanted !== undefined);
}

function matchesKeys({ ruleId }: LoggedRow, keys: EntryKeys, filter: LogFilter): boolean {
  const { normalKeys, source, country, network, deviceKeys, matchedRuleId } = filter;
  return (
    (normalKeys === undefined || normalKeys.has(keys.normal ?? '')) &&
    (source === undefined || keys.sources.includes(source)) &&
    (country === undefined || keys.country === country) &&
    (network === undefined || ('asn' in network ? keys.asn === network.asn : keys.network === network.block)) &&
    (deviceKeys === undefined || deviceKeys.includes(keys.device ?? '')) &&
    (matchedRuleId === undefined || ruleId === matchedRuleId || keys.otherRuleIds.includes(matchedRuleId))
  );
}
