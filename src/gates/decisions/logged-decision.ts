import { wireFrom } from '../../http/answers/wire-fields.ts';
import type { Naming } from '../../signals/sources.ts';
import { timeOfId } from '../../ulid.ts';
import type { Action } from '../rules/action.ts';
import { type DecisionSignals, gateSignals, type SubjectName, type Values } from '../rules/signals.ts';
import { isHashed, shownDevice } from './address-key.ts';
import type { Decision } from './decision.ts';
import { logEntry, type ShownDecision, type ShownEntry } from './decision-body.ts';
import { type DecisionEntry, localPartPlace, namingsIn, withoutPersonal } from './decision-entry.ts';
import type { LoggedRow } from './decisions-store.ts';

/** The decision that a row of the log keeps, as it was answered. */
export function shownDecision(row: LoggedRow): ShownDecision {
  const entry = JSON.parse(row.entry) as DecisionEntry;
  const [requestId, version, durationMs, input, rule] = entry;
  return {
    id: row.id,
    requestId,
    version,
    createdAtMs: timeOfId(row.id),
    durationMs,
    input,
    action: row.action as Action,
    matchedRule: rule === null ? null : { id: row.ruleId ?? '', name: rule[0], message: rule[1] },
    signals: signalsOf(row, entry),
    showsTraffic: entry[10] === 1,
  };
}

/** A logged decision with its outcome. */
export function shownEntry(row: LoggedRow): ShownEntry {
  return { ...shownDecision(row), outcome: row.outcome ?? null };
}

/** A row of the log as a response shows it. */
export const logRowBody = wireFrom(logEntry, shownEntry);

/** The list sources that named the domain of an entry at that moment; null for an entry of version 0.1.0. */
export function namingsOf(row: LoggedRow): readonly Naming[] | null {
  return namingsIn(JSON.parse(row.entry) as DecisionEntry, row.domain);
}

/** The device of an entry's visitor as it is shown. */
export function deviceOf(row: LoggedRow): string | null {
  return shownDevice((JSON.parse(row.entry) as DecisionEntry)[13] ?? null);
}

/** The hook that asked for an entry; null for a client with a key. */
export function hookOf(row: LoggedRow): string | null {
  return (JSON.parse(row.entry) as DecisionEntry)[14] ?? null;
}

/** The rules that matched an entry, shadow rules included. Entries of earlier versions have the deciding one only. */
export function matchedRuleIds(row: LoggedRow): readonly string[] {
  const others = (JSON.parse(row.entry) as DecisionEntry)[11] ?? [];
  return row.ruleId === null ? others : [row.ruleId, ...others];
}

/** The revision of the gate that made an entry; null for an entry older than revisions. */
export function revisionOf(row: LoggedRow): number | null {
  return (JSON.parse(row.entry) as DecisionEntry)[8] ?? null;
}

/** A logged decision, ready to be evaluated again. */
export type LoggedDecision = Pick<Decision, 'id' | 'action' | 'input' | 'signals' | 'showsTraffic'> &
  Pick<LoggedRow, 'outcome'>;

/** The decision of a row, for another evaluation. Hidden parts of an address and a hidden IP address are unknown. */
export function fromLoggedRow(row: LoggedRow): LoggedDecision {
  const { id, action, input, signals, showsTraffic } = shownDecision(row);
  const { email, domain, ip, traffic = null } = signals;
  const isEmailHidden = email !== null && email[localPartPlace] === null;
  const isIpHidden = row.ip !== null && isHashed(row.ip);
  return {
    id,
    action,
    input,
    showsTraffic,
    ...(row.outcome === undefined ? {} : { outcome: row.outcome }),
    signals: {
      email: isEmailHidden ? withoutPersonal(email) : email,
      domain,
      ip: ip !== null && isIpHidden ? [null, ...ip.slice(1)] : ip,
      traffic,
    },
  };
}

function signalsOf(
  row: LoggedRow,
  [, , , input, , email, domain, ip, , traffic = null]: DecisionEntry,
): DecisionSignals {
  return {
    email: email === null ? null : valuesOf('email', input.email, email),
    domain: valuesOf('domain', row.domain, domain),
    ip: ip === null ? null : valuesOf('ip', row.ip, ip),
    traffic: traffic && gateSignals.traffic.map((_, place) => traffic[place] ?? null),
  };
}

/** The subject and its logged signals; signals added later are unknown. */
function valuesOf(subject: Exclude<SubjectName, 'traffic'>, itself: string | null | undefined, logged: Values): Values {
  return gateSignals[subject].map((_, place) => (place === 0 ? itself : logged[place - 1]) ?? null);
}
