import { wireTime } from '../../http/wire-time.ts';
import type { Action } from '../rules/action.ts';
import type { DecisionSignals, DomainSignals, EmailSignals } from '../rules/signals.ts';
import type { DecisionInput } from './decision.ts';
import { domainKeys, type EmailEntry, type Entry } from './decision-entry.ts';
import { type LoggedRow, timeOfId } from './decisions-store.ts';
import { domainBody, emailBody, ipBody } from './signals-body.ts';

/** What is shown of an entry: the answer with its id beside it. */
export function logEntryBody(row: LoggedRow) {
  const entry = JSON.parse(row.entry) as Entry;
  const [requestId, version, durationMs, input, rule] = entry;
  const { email, domain, ip } = signalsOf(row, entry);
  return {
    id: row.id,
    input,
    decision: {
      action: row.action,
      matched_rule: rule === null ? null : { id: row.ruleId, name: rule[0], message: rule[1] },
    },
    signals: {
      email: email === null ? null : emailBody(email),
      domain: domainBody(domain),
      ip: ip === null ? null : ipBody(ip),
    },
    meta: {
      version,
      request_id: requestId,
      decision_id: row.id,
      duration_ms: durationMs,
      created_at: wireTime(timeOfId(row.id)),
    },
  };
}

/** A logged decision, ready to be evaluated again. */
export interface LoggedDecision {
  readonly id: string;
  readonly action: Action;
  readonly input: DecisionInput;
  readonly signals: DecisionSignals;
}

/** The decision a row of the log stands for. What was hidden of an address is unknown. */
export function fromLoggedRow(row: LoggedRow): LoggedDecision {
  const entry = JSON.parse(row.entry) as Entry;
  const signals = signalsOf(row, entry);
  const isHidden = signals.email !== null && signals.email.localPart === null;
  return {
    id: row.id,
    action: row.action as Action,
    input: entry[3],
    signals: isHidden ? { ...signals, email: withoutAddress(signals.email) } : signals,
  };
}

function signalsOf({ domain: name }: LoggedRow, [, , , input, , email, domain, ip]: Entry): DecisionSignals {
  const fields = Object.fromEntries(domainKeys.map((key, index) => [key, domain[index] ?? null]));
  return {
    email: email === null ? null : emailSignals(input.email, email),
    domain: { name, ...fields } as unknown as DomainSignals,
    ip,
  };
}

/** Hidden parts of an address are null here, where a live decision has a text. */
function emailSignals(
  address: string | undefined,
  [normalized, localPart, localPartLength, subaddress, disposable, roleAccount]: EmailEntry,
): EmailSignals {
  const fields = { address, normalized, localPart, localPartLength, subaddress, disposable, roleAccount };
  return fields as EmailSignals;
}

/** The hash that an entry shows in place of the address is nothing that a condition was meant for. */
function withoutAddress(email: EmailSignals | null): EmailSignals {
  return { ...email, address: null, normalized: null } as unknown as EmailSignals;
}
