import type { DecisionSignals, DomainSignals, EmailSignals, IpSignals } from '../../src/gates/rules/signals.ts';

/** Signals written as field paths and values, for the table of cases and the try-out of the rule editor. */
export type FieldValues = Readonly<Record<string, boolean | number | string | readonly string[]>>;

/**
 * Signals in which only the named fields are known, and what is never unknown: the domain's name, and the forms of an
 * address or the IP address once one of their fields is named.
 */
export function signalsFromFields(values: FieldValues): DecisionSignals {
  return {
    email: names(values, 'email.') ? email(values) : null,
    domain: domain(values),
    ip: names(values, 'ip.') ? ip(values) : null,
  };
}

function names(values: FieldValues, prefix: string): boolean {
  return Object.keys(values).some((path) => path.startsWith(prefix));
}

function stringAt(values: FieldValues, path: string): string | null {
  const value = values[path];
  return typeof value === 'string' ? value : null;
}

function booleanAt(values: FieldValues, path: string): boolean | null {
  const value = values[path];
  return typeof value === 'boolean' ? value : null;
}

function integerAt(values: FieldValues, path: string): number | null {
  const value = values[path];
  return typeof value === 'number' ? value : null;
}

function listAt(values: FieldValues, path: string): readonly string[] | null {
  const value = values[path];
  return typeof value === 'object' ? value : null;
}

function email(values: FieldValues): EmailSignals {
  const localPart = stringAt(values, 'email.local_part') ?? 'jane';
  const address = stringAt(values, 'email.address') ?? `${localPart}@example.com`;
  return {
    address,
    normalized: stringAt(values, 'email.normalized') ?? address.toLowerCase(),
    localPart,
    localPartLength: integerAt(values, 'email.local_part_length') ?? localPart.length,
    subaddress: stringAt(values, 'email.subaddress'),
    disposable: booleanAt(values, 'email.disposable'),
    roleAccount: booleanAt(values, 'email.role_account'),
  };
}

function domain(values: FieldValues): DomainSignals {
  return {
    name: stringAt(values, 'domain.name') ?? 'example.com',
    registrable: stringAt(values, 'domain.registrable'),
    tld: stringAt(values, 'domain.tld'),
    sld: stringAt(values, 'domain.sld'),
    subdomain: stringAt(values, 'domain.subdomain'),
    domainAuthority: integerAt(values, 'domain.domain_authority'),
    tldTrust: integerAt(values, 'domain.tld_trust'),
    ageDays: integerAt(values, 'domain.age_days'),
    mx: booleanAt(values, 'domain.mx'),
    mxRecords: mxRecords(values),
    mxProviders: mxProviders(values),
    spf: stringAt(values, 'domain.spf'),
    dmarc: stringAt(values, 'domain.dmarc'),
    disposable: booleanAt(values, 'domain.disposable'),
    disposableProvider: stringAt(values, 'domain.disposable_provider'),
    publicDomain: booleanAt(values, 'domain.public_domain'),
    relayDomain: booleanAt(values, 'domain.relay_domain'),
    freeSubdomain: booleanAt(values, 'domain.free_subdomain'),
    spam: booleanAt(values, 'domain.spam'),
    didYouMean: stringAt(values, 'domain.did_you_mean'),
    blocklisted: booleanAt(values, 'domain.blocklisted'),
  };
}

function mxRecords(values: FieldValues): DomainSignals['mxRecords'] {
  const hostnames = listAt(values, 'domain.mx_records.*.hostname');
  return hostnames?.map((hostname, index) => ({ hostname, priority: 10 * (index + 1) })) ?? null;
}

function mxProviders(values: FieldValues): DomainSignals['mxProviders'] {
  const slugs = listAt(values, 'domain.mx_providers.*.slug');
  const types = listAt(values, 'domain.mx_providers.*.type');
  const grades = listAt(values, 'domain.mx_providers.*.grade');
  const longest = slugs ?? types ?? grades;
  if (longest === null) return null;
  return longest.map((_, index) => ({
    slug: slugs?.[index] ?? 'other',
    type: types?.[index] ?? 'mailbox',
    grade: grades?.[index] ?? 'standard',
  }));
}

function ip(values: FieldValues): IpSignals {
  const detection = (path: string) => ({ detected: booleanAt(values, path) });
  return {
    address: stringAt(values, 'ip.address') ?? '203.0.113.7',
    abuse: detection('ip.abuse.detected'),
    anonymity: {
      proxy: detection('ip.anonymity.proxy.detected'),
      relay: detection('ip.anonymity.relay.detected'),
      tor: detection('ip.anonymity.tor.detected'),
      vpn: detection('ip.anonymity.vpn.detected'),
    },
    hosting: detection('ip.hosting.detected'),
    geo: {
      country: stringAt(values, 'ip.geo.country'),
      countryCode: stringAt(values, 'ip.geo.country_code'),
      continent: stringAt(values, 'ip.geo.continent'),
      continentCode: stringAt(values, 'ip.geo.continent_code'),
      city: stringAt(values, 'ip.geo.city'),
    },
    network: {
      asn: integerAt(values, 'ip.network.asn'),
      aso: stringAt(values, 'ip.network.aso'),
      domain: stringAt(values, 'ip.network.domain'),
      type: stringAt(values, 'ip.network.type'),
    },
  };
}
