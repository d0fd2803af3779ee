import { parseAddress } from '../address/address.ts';
import type { Action } from './action.ts';
import type { AddressKeys } from './address-key.ts';
import type { DecidingRule, Decision, DecisionInput, DecisionVersion } from './decision.ts';
import type { LoggedRow } from './decisions-store.ts';
import type { DecisionSignals, EmailSignals } from './signals.ts';

/** What an entry shows in place of an address that was not kept. */
interface HiddenAddress {
  readonly address: string;
  readonly normalized: string;
}

/** Everything of a decision that it is not found by. */
interface Entry {
  readonly requestId: string;
  readonly version: DecisionVersion;
  readonly createdAtMs: number;
  readonly durationMs: number;
  readonly input: DecisionInput;
  readonly matchedRule: DecidingRule | null;
  readonly signals: DecisionSignals;
  readonly hidden?: HiddenAddress;
}

/** A decision read from the log. */
export interface LoggedDecision {
  readonly decision: Decision;
  /** Set when the address was not kept: what is shown in its place. */
  readonly hidden: HiddenAddress | null;
}

/** A decision as it is logged. With hashed addresses no part of the address is in it in clear. */
export function toLoggedRow(decision: Decision, keys: AddressKeys): LoggedRow {
  const { id, gateId, action, matchedRule, signals, input } = decision;
  const address = input.email === undefined ? null : parseAddress(input.email);
  const emailKey = address === null ? null : keys.of(address);
  return {
    id,
    gateId,
    action,
    ruleId: matchedRule?.id ?? null,
    emailKey,
    domain: signals.domain.name,
    ip: signals.ip?.address ?? null,
    entry: JSON.stringify(entryOf(decision, keys, emailKey)),
  };
}

/** The decision a row of the log stands for. */
export function fromLoggedRow(row: LoggedRow): LoggedDecision {
  const { hidden, ...entry } = JSON.parse(row.entry) as Entry;
  const decision = { ...entry, id: row.id, gateId: row.gateId, action: row.action as Action };
  return { decision, hidden: hidden ?? null };
}

function entryOf(decision: Decision, keys: AddressKeys, emailKey: string | null): Entry {
  const { requestId, version, createdAtMs, durationMs, input, signals } = decision;
  const rule = decision.matchedRule;
  const matchedRule = rule === null ? null : { id: rule.id, name: rule.name, message: rule.message };
  const entry = { requestId, version, createdAtMs, durationMs, input, matchedRule, signals };
  if (!keys.hashed || emailKey === null || signals.email === null) return entry;
  return {
    ...entry,
    input: { ...input, email: emailKey },
    signals: { ...signals, email: withoutAddress(signals.email) },
    hidden: { address: emailKey, normalized: keys.shown(signals.email.normalized) },
  };
}

/** What the address itself would tell is unknown to a backtest of an entry that did not keep it. */
function withoutAddress({ localPartLength, disposable, roleAccount }: EmailSignals): EmailSignals {
  const unknown = { address: null, normalized: null, localPart: null, subaddress: null };
  return { ...unknown, localPartLength, disposable, roleAccount } as unknown as EmailSignals;
}
