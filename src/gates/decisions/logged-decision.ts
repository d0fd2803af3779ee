import { wireTime } from '../../http/wire-time.ts';
import type { Action } from '../rules/action.ts';
import { type DecisionSignals, gateSignals, type SubjectName, type Values } from '../rules/signals.ts';
import { isHashed } from './address-key.ts';
import type { DecisionInput } from './decision.ts';
import { type DecisionEntry, type LoggedIp, localPartPlace, withoutPersonal } from './decision-entry.ts';
import { type LoggedRow, timeOfId } from './decisions-store.ts';
import { signalsBody } from './signals-body.ts';

/** What is shown of an entry: the answer with its id beside it. */
export function logEntryBody(row: LoggedRow) {
  const entry = JSON.parse(row.entry) as DecisionEntry;
  const [requestId, version, durationMs, input, rule] = entry;
  return {
    id: row.id,
    input,
    decision: {
      action: row.action,
      matched_rule: rule === null ? null : { id: row.ruleId, name: rule[0], message: rule[1] },
    },
    signals: signalsBody(signalsOf(row, entry)),
    meta: {
      version,
      request_id: requestId,
      decision_id: row.id,
      duration_ms: durationMs,
      created_at: wireTime(timeOfId(row.id)),
    },
  };
}

/** The state the gate was in when an entry was made; null for one of before states were kept. */
export function revisionOf(row: LoggedRow): number | null {
  return (JSON.parse(row.entry) as DecisionEntry)[8] ?? null;
}

/** A logged decision, ready to be evaluated again. */
export interface LoggedDecision {
  readonly id: string;
  readonly action: Action;
  readonly input: DecisionInput;
  readonly signals: DecisionSignals;
}

/** The decision a row of the log stands for. What was hidden of an address, and a hidden IP address, are unknown. */
export function fromLoggedRow(row: LoggedRow): LoggedDecision {
  const entry = JSON.parse(row.entry) as DecisionEntry;
  const { email, domain, ip } = signalsOf(row, entry);
  const isEmailHidden = email !== null && email[localPartPlace] === null;
  const isIpHidden = row.ip !== null && isHashed(row.ip);
  return {
    id: row.id,
    action: row.action as Action,
    input: entry[3],
    signals: {
      email: isEmailHidden ? withoutPersonal(email) : email,
      domain,
      ip: ip !== null && isIpHidden ? [null, ...ip.slice(1)] : ip,
    },
  };
}

function signalsOf(row: LoggedRow, [, , , input, , email, domain, ip]: DecisionEntry): DecisionSignals {
  return {
    email: email === null ? null : valuesOf('email', input.email, email),
    domain: valuesOf('domain', row.domain, domain),
    ip: ip === null ? null : valuesOf('ip', row.ip, isLoggedIp(ip) ? byPlace(ip) : ip),
  };
}

/** The subject itself and what was logged of it; signals that came later are unknown. */
function valuesOf(subject: SubjectName, itself: string | null | undefined, logged: Values): Values {
  return gateSignals[subject].map((_, place) => (place === 0 ? itself : logged[place - 1]) ?? null);
}

const isLoggedIp = (ip: Values | LoggedIp): ip is LoggedIp => !Array.isArray(ip);

function byPlace(ip: LoggedIp): Values {
  return gateSignals.ip.slice(1).map(({ gates: { name } }) => {
    const keys = name.split('.').map((part) => part.replace(/_(.)/g, (_, letter) => letter.toUpperCase()));
    return keys.reduce<unknown>((found, key) => (found as LoggedIp | undefined)?.[key], ip) as Values[number];
  });
}
