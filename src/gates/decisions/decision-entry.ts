import { gateSignals, placeOf, type Values } from '../rules/signals.ts';
import type { AddressKeys } from './address-key.ts';
import type { Decision, DecisionInput, DecisionVersion } from './decision.ts';
import type { LoggedRow } from './decisions-store.ts';
import { oncePer } from './once-per.ts';

/**
 * What the log keeps of a decision besides the columns of its row. Values without their names, which take
 * half the room. What is here stays in its place; new things are added at the end.
 */
export type DecisionEntry = readonly [
  requestId: string,
  version: DecisionVersion,
  durationMs: number,
  input: DecisionInput,
  rule: readonly [name: string, message: string | null] | null,
  email: LoggedValues | null,
  domain: LoggedValues,
  ip: LoggedValues | null,
  /** The state the gate was in; entries of before states were kept have none. */
  revision?: number,
  /** All values: traffic has no subject. Null for a domain input. */
  traffic?: LoggedValues | null,
  showsTraffic?: 0 | 1,
  /** The rules that matched besides the one that decided, also those in shadow mode. */
  otherRuleIds?: readonly string[],
];

/** The values of a subject without the first: the subject itself is in the input or the row. */
export type LoggedValues = Values;

/** Where the local part is among the values of an address. */
export const localPartPlace = placeOf('email', 'local_part');
/** Where the normalised address is. */
export const normalizedPlace = placeOf('email', 'normalized');

const personal = gateSignals.email.map(({ gates }) => gates.personal);

const loggedText = (values: Values): string => JSON.stringify(values.slice(1));
const domainText = oncePer((domain: Values) => loggedText(domain.map(shortened)));

/** How much of a list goes into the log: a zone of many long mail hosts must not fill it. */
const mostListText = 2_000;

function shortened(value: Values[number]): Values[number] {
  if (!Array.isArray(value)) return value;
  let room = mostListText;
  const beyond = value.findIndex((item) => {
    room -= JSON.stringify(item).length;
    return room < 0;
  });
  return beyond < 0 ? value : value.slice(0, beyond);
}

/** A decision as it is logged. With hashed addresses no part of the address is in it in plain text, nor the IP address. */
export function toLoggedRow(decision: Decision, keys: AddressKeys): LoggedRow {
  const { id, gateId, revision, requestId, version, durationMs, action, matchedRule: rule, signals } = decision;
  const { email, domain, ip, traffic = null } = signals;
  const name = String(domain[0]);
  const emailKey = email === null ? null : keys.keyOf(String(email[localPartPlace]), name);
  const ipKey = ip === null ? null : keys.ipKeyOf(String(ip[0]));
  const shown = email !== null && keys.hashed ? hashedValues(email, keys) : email;
  const input = keys.hashed ? hashedInput(decision.input, emailKey, ipKey) : decision.input;
  const entry =
    `["${requestId}","${version}",${durationMs},${JSON.stringify(input)},` +
    `${rule === null ? 'null' : JSON.stringify([rule.name, rule.message])},` +
    `${shown === null ? 'null' : loggedText(shown)},` +
    `${domainText(domain)},${ip === null ? 'null' : loggedText(ip)},${revision},` +
    `${JSON.stringify(traffic)},${decision.showsTraffic ? 1 : 0}${othersText(decision.otherRuleIds)}]`;
  return {
    id,
    gateId,
    action,
    ruleId: rule === null ? null : rule.id,
    emailKey,
    domain: name,
    ip: ipKey,
    entry,
    normalKey: shown === null ? null : String(shown[normalizedPlace]),
  };
}

/** Nothing for most decisions: they match one rule at most. */
function othersText(ruleIds: readonly string[]): string {
  return ruleIds.length === 0 ? '' : `,${JSON.stringify(ruleIds)}`;
}

function hashedInput(input: DecisionInput, emailKey: string | null, ipKey: string | null): DecisionInput {
  return {
    ...input,
    ...(emailKey === null ? {} : { email: emailKey }),
    ...(ipKey === null ? {} : { ip: ipKey }),
  };
}

function hashedValues(email: Values, keys: AddressKeys): Values {
  return email.map((value, place) => {
    if (place === 0 || personal[place] === undefined || value === null) return value;
    return personal[place] === 'hash' ? keys.hash(String(value)) : null;
  });
}

/** What a condition may see of an address whose parts were hashed: a condition was not meant for hashes. */
export function withoutPersonal(email: Values): Values {
  return email.map((value, place) => (personal[place] === undefined ? value : null));
}
