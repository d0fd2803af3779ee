import type { DomainSignals, EmailSignals, IpSignals } from '../rules/signals.ts';
import type { AddressKeys } from './address-key.ts';
import type { Decision, DecisionInput, DecisionVersion } from './decision.ts';
import type { LoggedRow } from './decisions-store.ts';
import { oncePer } from './once-per.ts';

/**
 * What the log keeps of a decision besides the columns of its row. Values without their names, which take
 * half the room. What is here stays in its place; new things are added at the end.
 */
export type Entry = readonly [
  requestId: string,
  version: DecisionVersion,
  durationMs: number,
  input: DecisionInput,
  rule: readonly [name: string, message: string | null] | null,
  email: EmailEntry | null,
  domain: readonly DomainSignals[(typeof domainKeys)[number]][],
  ip: IpSignals | null,
];

/** The address itself is in the input. With hashed addresses the local part and the tag are null. */
export type EmailEntry = readonly [
  normalized: string,
  localPart: string | null,
  localPartLength: number,
  subaddress: string | null,
  disposable: boolean | null,
  roleAccount: boolean | null,
];

/** The signals of a domain in the order of an entry; its name is in the row. */
export const domainKeys = [
  'registrable',
  'tld',
  'sld',
  'subdomain',
  'domainAuthority',
  'tldTrust',
  'ageDays',
  'mx',
  'mxRecords',
  'mxProviders',
  'spf',
  'dmarc',
  'disposable',
  'disposableProvider',
  'publicDomain',
  'relayDomain',
  'freeSubdomain',
  'spam',
  'didYouMean',
  'blocklisted',
] as const satisfies (keyof DomainSignals)[];

const domainEntry = oncePer((domain: DomainSignals) => JSON.stringify(domainKeys.map((key) => domain[key])));

/** A decision as it is logged. With hashed addresses no part of the address is in it in clear. */
export function toLoggedRow(decision: Decision, keys: AddressKeys): LoggedRow {
  const { id, gateId, requestId, version, durationMs, action, matchedRule: rule, signals } = decision;
  const { email, domain, ip } = signals;
  const emailKey = email === null ? null : keys.keyOf(email.localPart, domain.name);
  const input = keys.hashed && emailKey !== null ? { ...decision.input, email: emailKey } : decision.input;
  const entry =
    `["${requestId}","${version}",${durationMs},${JSON.stringify(input)},` +
    `${rule === null ? 'null' : JSON.stringify([rule.name, rule.message])},` +
    `${email === null ? 'null' : JSON.stringify(emailEntry(email, keys))},` +
    `${domainEntry(domain)},${ip === null ? 'null' : JSON.stringify(ip)}]`;
  return {
    id,
    gateId,
    action,
    ruleId: rule === null ? null : rule.id,
    emailKey,
    domain: domain.name,
    ip: ip === null ? null : ip.address,
    entry,
  };
}

function emailEntry(email: EmailSignals, keys: AddressKeys): EmailEntry {
  const { normalized, localPart, localPartLength, subaddress, disposable, roleAccount } = email;
  return keys.hashed
    ? [keys.hash(normalized), null, localPartLength, null, disposable, roleAccount]
    : [normalized, localPart, localPartLength, subaddress, disposable, roleAccount];
}
