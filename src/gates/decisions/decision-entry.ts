import { networkOf } from '../../address/ip-network.ts';
import { detachedCopy } from '../../platform/detached-copy.ts';
import { memoiseByObject } from '../../platform/memoise-by-object.ts';
import { type Naming, noNamings } from '../../signals/sources.ts';
import { gateSignals, placeOf, type Values } from '../rules/signals.ts';
import type { AddressKeys } from './address-key.ts';
import type { Decision, DecisionInput, DecisionVersion } from './decision.ts';
import type { EntryKeys, LoggedRow } from './decisions-store.ts';
import { oncePer } from './once-per.ts';

/**
 * The logged parts of a decision besides the columns of its row: values without their names, which would double
 * the size. Existing values keep their positions; new ones are added at the end.
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
  /** The gate's revision; entries from before revisions have none. */
  revision?: number,
  /** All values, because traffic has no subject. Null for a domain input. */
  traffic?: LoggedValues | null,
  showsTraffic?: 0 | 1,
  /** The matching rules besides the one that decided, shadow rules included. */
  otherRuleIds?: readonly string[],
  /** The list sources that named the domain. */
  namedBy?: readonly LoggedNaming[],
  /** The key of the visitor's device. */
  deviceKey?: string | null,
  /** The hook that asked. */
  hookId?: string,
];

/** A source's statement about the domain, with the matching entry if that is another name. */
type LoggedNaming = readonly [source: string, says: Naming['says'], date: string | null, entry?: string];

/** The values of a subject without the first: the subject itself is in the input or the row. */
export type LoggedValues = Values;

/** The index of the local part among the values of an address. */
export const localPartPlace = placeOf('email', 'local_part');
/** The index of the normalised address. */
export const normalizedPlace = placeOf('email', 'normalized');

const countryPlace = placeOf('ip', 'geo.country_code');
const asnPlace = placeOf('ip', 'network.asn');

const none: readonly string[] = Object.freeze([]);
const sourcesOf = memoiseByObject((namedBy: readonly Naming[]) => namedBy.map(({ source }) => source));

const countryIn = (value: Values[number] | undefined): string | null => (typeof value === 'string' ? value : null);
const asnIn = (value: Values[number] | undefined): number | null => (typeof value === 'number' ? value : null);

/** The search keys of an entry besides its columns. */
export function keysOf({ keys, entry: text, emailKey, ip }: LoggedRow): EntryKeys {
  if (keys !== undefined) return keys;
  const entry = JSON.parse(text) as DecisionEntry;
  const normal = emailKey === null ? null : entry[5]?.[normalizedPlace - 1];
  return {
    normal: typeof normal === 'string' ? normal : null,
    sources: entry[12]?.map(([source]) => source) ?? none,
    // An entry keeps the values of an IP address without the address itself.
    country: countryIn(entry[7]?.[countryPlace - 1]),
    asn: asnIn(entry[7]?.[asnPlace - 1]),
    network: ip === null ? null : networkOf(ip),
    device: entry[13] ?? null,
    otherRuleIds: entry[11] ?? none,
  };
}

const personal = gateSignals.email.map(({ gates }) => gates.personal);

const loggedText = (values: Values): string => JSON.stringify(values.slice(1));
const domainText = oncePer((domain: Values) => loggedText(domain.map(shortened)));

/** The logged part of a list: a zone of many long mail hosts must not fill the log. */
const maxListText = 2_000;

function shortened(value: Values[number]): Values[number] {
  if (!Array.isArray(value)) return value;
  let room = maxListText;
  const beyond = value.findIndex((item) => {
    room -= JSON.stringify(item).length;
    return room < 0;
  });
  return beyond < 0 ? value : value.slice(0, beyond);
}

/** The row of a decision. With hashed addresses it has no part of the address, nor the IP address, in plain text. */
export function toLoggedRow(decision: Decision, keys: AddressKeys): LoggedRow {
  const { id, gateId, revision, requestId, version, durationMs, action, matchedRule: rule, signals } = decision;
  const { email, domain, ip, traffic = null, namedBy = noNamings } = signals;
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
    `${JSON.stringify(traffic)},${decision.showsTraffic ? 1 : 0}${addedText(decision, namedBy, name)}]`;
  return {
    id,
    gateId,
    action,
    ruleId: rule === null ? null : rule.id,
    emailKey,
    domain: name,
    ip: ipKey,
    entry,
    keys: {
      normal: shown === null ? null : String(shown[normalizedPlace]),
      sources: namedBy.length === 0 ? none : sourcesOf(namedBy),
      country: ip === null ? null : countryIn(ip[countryPlace]),
      asn: ip === null ? null : asnIn(ip[asnPlace]),
      network: ipKey === null ? null : networkOf(ipKey),
      device: decision.deviceKey,
      otherRuleIds: decision.otherRuleIds,
    },
  };
}

/** Empty for most decisions: at most one rule matches, no list names the domain, there is no device, and no hook asked. */
function addedText({ otherRuleIds, deviceKey, hookId }: Decision, namedBy: readonly Naming[], name: string): string {
  const rules = otherRuleIds.length === 0 ? '[]' : JSON.stringify(otherRuleIds);
  const namings = namedBy.length === 0 ? '[]' : namingsText(namedBy, name);
  if (hookId !== null) return `,${rules},${namings},${JSON.stringify(deviceKey)},"${hookId}"`;
  if (deviceKey !== null) return `,${rules},${namings},"${deviceKey}"`;
  if (namedBy.length > 0) return `,${rules},${namings}`;
  return otherRuleIds.length === 0 ? '' : `,${rules}`;
}

/**
 * In full rather than as numbers of a table: repetition takes next to nothing in compressed segments, and an entry remains complete
 * in exports, backups and other databases.
 */
const namingsText = memoiseByObject((namedBy: readonly Naming[], name: string) =>
  detachedCopy(JSON.stringify(namedBy.map((naming) => loggedNaming(naming, name)))),
);

const loggedNaming = ({ source, says, date, entry }: Naming, name: string): LoggedNaming =>
  entry === name ? [source, says, date] : [source, says, date, entry];

/** The sources that named the domain of an entry; null for an entry of version 0.1.0, which did not log them. */
export function namingsIn(entry: DecisionEntry, name: string): readonly Naming[] | null {
  const [traffic, namedBy] = [entry[9], entry[12]];
  if (namedBy === undefined) return traffic === undefined ? null : noNamings;
  return namedBy.map(([source, says, date, above]) => ({ source, says, date, entry: above ?? name }));
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

/** The values of an address without its hashed parts: no condition is meant for hashes. */
export function withoutPersonal(email: Values): Values {
  return email.map((value, place) => (personal[place] === undefined ? value : null));
}
