import { placeOf, type SubjectName } from '../gates/rules/signals.ts';
import { shapeText } from './shape-text.ts';
import type { LoggedDetails, Wave } from './wave.ts';
import type { WaveKind } from './wave-kind.ts';

/** The value of a wave, as its decisions saw it; null where something is unknown or does not apply. */
export interface WaveAbout {
  readonly text: string;
  readonly owner: string | null;
  readonly asn: number | null;
  readonly countryCode: string | null;
  /** How the network is used, such as `hosting` or `isp`. */
  readonly networkType: string | null;
  readonly ageDays: number | null;
  readonly mailServers: readonly string[] | null;
  readonly isRelay: boolean | null;
  readonly isDisposable: boolean | null;
  /** The domains of its addresses, some of them. */
  readonly domains: readonly string[];
  readonly example: string | null;
}

const maxShown = 3;

/** Describes the value of a wave by some of its decisions, newest first. */
export function aboutWave(wave: Pick<Wave, 'kind' | 'value'>, decisions: readonly LoggedDetails[]): WaveAbout {
  const known = <T>(subject: SubjectName, name: string): T | null => {
    const place = placeOf(subject, name);
    for (const { signals } of decisions) {
      const value = signals[subject]?.[place] ?? null;
      if (value !== null) return value as T;
    }
    return null;
  };
  const domains = [...new Set(decisions.flatMap(({ signals }) => registrableOf(signals.domain) ?? []))];
  const hasOneNetwork = wave.kind === 'network';
  const hasOneDomain = wave.kind === 'domain' || wave.kind === 'mailbox';
  const facts = {
    owner: hasOneNetwork ? known<string>('ip', 'network.aso') : null,
    asn: hasOneNetwork ? known<number>('ip', 'network.asn') : null,
    countryCode: hasOneNetwork ? known<string>('ip', 'geo.country_code') : null,
    networkType: hasOneNetwork ? networkType(known('ip', 'network.type'), known('ip', 'hosting.detected')) : null,
    ageDays: hasOneDomain ? known<number>('domain', 'age_days') : null,
    mailServers: hasOneDomain ? hostsOf(known('domain', 'mx_records')) : null,
    isRelay: hasOneDomain ? known<boolean>('domain', 'relay_domain') : null,
    isDisposable: hasOneDomain ? known<boolean>('domain', 'disposable') : null,
    domains: domains.slice(0, maxShown),
    example: decisions[0]?.email || null,
  };
  const country = hasOneNetwork ? known<string>('ip', 'geo.country') : null;
  return {
    text: texts[wave.kind](wave.value, { ...facts, country, isPublic: known('domain', 'public_domain') }),
    ...facts,
  };
}

type Facts = Omit<WaveAbout, 'text'> & { readonly country: string | null; readonly isPublic: boolean | null };

const texts: Readonly<Record<WaveKind, (value: string, facts: Facts) => string>> = {
  mailbox: (_, facts) => sentence(['One mailbox', ...domainFacts(facts)], facts.example),
  device: (_, { domains }) =>
    sentence([`a device that your application identifies${atDomains(domains, ', with addresses at')}`], null),
  domain: (_, facts) => sentence(domainFacts(facts), null) || 'Nothing is known of this domain.',
  mail_server: (_, { domains }) => sentence([`a mail server${atDomains(domains, ' of')}`], null),
  network(_, { owner, asn, country, countryCode, networkType: type }) {
    const by = owner === null ? null : `a network of ${owner}${asn === null ? '' : ` (AS${asn})`}`;
    return sentence([by, country ?? countryCode, type], null) || 'The owner of this network is unknown: no IP data.';
  },
  shape: (value, { example }) => sentence([`local parts of ${shapeText(value)}`], example),
  new_domains: (_, { domains }) =>
    sentence([`domains that this environment first saw yesterday or today${atDomains(domains, ', such as')}`], null),
};

function domainFacts({ ageDays, mailServers, isRelay, isDisposable, isPublic }: Facts): (string | null)[] {
  return [
    isRelay ? 'a relay service, whose addresses hide those of people' : null,
    isDisposable ? 'a disposable mail service' : null,
    isPublic ? 'a public mail service' : null,
    ageDays === null ? null : ageDays === 0 ? 'registered today' : `registered ${days(ageDays)} ago`,
    mailServers === null ? null : mailServers.length === 0 ? 'without mail servers' : `mail at ${some(mailServers)}`,
  ];
}

const days = (count: number): string => {
  if (count >= 730) return `${Math.floor(count / 365)} years`;
  return count === 1 ? '1 day' : `${count} days`;
};

const atDomains = (domains: readonly string[], how: string): string =>
  domains.length === 0 ? '' : `${how} ${some(domains)}`;

/** Some of them, with a word for the others. */
function some(names: readonly string[]): string {
  const shown = names.slice(0, maxShown);
  const last = shown.length > 1 ? ` and ${shown.at(-1)}` : '';
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')}${last}` : (shown[0] ?? '');
}

/** The known parts as one sentence. */
function sentence(parts: readonly (string | null)[], example: string | null): string {
  const text = parts.filter((part) => part !== null).join(', ');
  if (text === '') return '';
  return `${text[0]?.toUpperCase()}${text.slice(1)}${example === null ? '' : `, such as ${example}`}.`;
}

/** `hosting` where a data file says so, whatever the type of the network's owner. */
function networkType(type: string | null, isHosting: boolean | null): string | null {
  return isHosting ? 'hosting' : type;
}

function hostsOf(records: unknown): readonly string[] | null {
  if (!Array.isArray(records)) return null;
  return records.map((record: { readonly hostname: string } | string) =>
    typeof record === 'string' ? record : record.hostname,
  );
}

/** The registrable domain of a decision. */
export function registrableOf(domain: readonly unknown[]): string | null {
  const value = domain[placeOf('domain', 'registrable')] ?? null;
  return typeof value === 'string' ? value : null;
}
