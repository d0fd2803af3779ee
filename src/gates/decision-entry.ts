import type { Action } from './action.ts';
import type { AddressKeys } from './address-key.ts';
import type { Decision, DecisionInput } from './decision.ts';
import type { LoggedRow } from './decisions-store.ts';
import type { EmailSignals } from './signals.ts';
import { type SignalsBody, signalsFromBody } from './signals-body.ts';

/** An answer as it was given, or with the hash in place of the address. */
interface Answer {
  readonly input: DecisionInput;
  readonly signals: SignalsBody;
}

/** A decision as it is logged: the answer itself. With hashed addresses no part of the address is in it in clear. */
export function toLoggedRow(decision: Decision, keys: AddressKeys): LoggedRow {
  const { id, gateId, action, matchedRule, signals, answer } = decision;
  const { email, domain, ip } = signals;
  const emailKey = email === null ? null : keys.of(email.localPart, domain.name);
  return {
    id,
    gateId,
    action,
    ruleId: matchedRule?.id ?? null,
    emailKey,
    domain: domain.name,
    ip: ip?.address ?? null,
    entry: keys.hashed && emailKey !== null && email !== null ? hidden(answer, email, emailKey, keys) : answer,
  };
}

/** What is shown of an entry: the answer with its id beside it. */
export function logEntryBody({ id, entry }: LoggedRow): { id: string } & Answer {
  return { id, ...(JSON.parse(entry) as Answer) };
}

/** A logged decision, ready to be evaluated again. */
export interface LoggedDecision {
  readonly id: string;
  readonly action: Action;
  readonly input: DecisionInput;
  readonly signals: ReturnType<typeof signalsFromBody>;
}

/** The decision a row of the log stands for. What was hidden of an address is unknown. */
export function fromLoggedRow({ id, action, entry }: LoggedRow): LoggedDecision {
  const { input, signals: body } = JSON.parse(entry) as Answer;
  const signals = signalsFromBody(body);
  const isHidden = signals.email !== null && signals.email.localPart === null;
  return {
    id,
    action: action as Action,
    input,
    signals: isHidden && signals.email !== null ? { ...signals, email: withoutAddress(signals.email) } : signals,
  };
}

function hidden(answer: string, email: EmailSignals, emailKey: string, keys: AddressKeys): string {
  const { input, signals, ...rest } = JSON.parse(answer) as Answer;
  const shown = {
    ...signals.email,
    address: emailKey,
    normalized: keys.hash(email.normalized),
    local_part: null,
    subaddress: null,
  };
  return JSON.stringify({ input: { ...input, email: emailKey }, ...rest, signals: { ...signals, email: shown } });
}

/** The hash that an entry shows in place of the address is nothing that a condition was meant for. */
function withoutAddress(email: EmailSignals): EmailSignals {
  return { ...email, address: null, normalized: null } as unknown as EmailSignals;
}
