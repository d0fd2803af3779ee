import type { DecisionSignals, DomainSignals, EmailSignals, IpSignals } from './signals.ts';

/** Signals as they go onto the wire, under the names of the field catalogue. */
export interface SignalsBody {
  readonly email: ReturnType<typeof emailBody> | null;
  readonly domain: ReturnType<typeof domainBody>;
  readonly ip: ReturnType<typeof ipBody> | null;
}

/** The signals of an address. */
export function emailBody(email: EmailSignals) {
  return {
    address: email.address,
    normalized: email.normalized,
    local_part: email.localPart,
    local_part_length: email.localPartLength,
    subaddress: email.subaddress,
    disposable: email.disposable,
    role_account: email.roleAccount,
  };
}

/** The signals of a domain. */
export function domainBody(domain: DomainSignals) {
  return {
    name: domain.name,
    registrable: domain.registrable,
    tld: domain.tld,
    sld: domain.sld,
    subdomain: domain.subdomain,
    domain_authority: domain.domainAuthority,
    tld_trust: domain.tldTrust,
    age_days: domain.ageDays,
    mx: domain.mx,
    mx_records: domain.mxRecords,
    mx_providers: domain.mxProviders,
    spf: domain.spf,
    dmarc: domain.dmarc,
    disposable: domain.disposable,
    disposable_provider: domain.disposableProvider,
    public_domain: domain.publicDomain,
    relay_domain: domain.relayDomain,
    free_subdomain: domain.freeSubdomain,
    spam: domain.spam,
    did_you_mean: domain.didYouMean,
    blocklisted: domain.blocklisted,
  };
}

/** The signals of an IP address. */
export function ipBody({ address, abuse, anonymity, hosting, geo, network }: IpSignals) {
  return {
    address,
    abuse,
    anonymity,
    hosting,
    geo: {
      country: geo.country,
      country_code: geo.countryCode,
      continent: geo.continent,
      continent_code: geo.continentCode,
      city: geo.city,
    },
    network,
  };
}

/** Signals that were on the wire, for another evaluation. */
export function signalsFromBody({ email, domain, ip }: SignalsBody): DecisionSignals {
  return {
    email: email === null ? null : emailFromBody(email),
    domain: domainFromBody(domain),
    ip: ip === null ? null : ipFromBody(ip),
  };
}

function emailFromBody(email: ReturnType<typeof emailBody>): EmailSignals {
  return {
    address: email.address,
    normalized: email.normalized,
    localPart: email.local_part,
    localPartLength: email.local_part_length,
    subaddress: email.subaddress,
    disposable: email.disposable,
    roleAccount: email.role_account,
  };
}

function domainFromBody(domain: ReturnType<typeof domainBody>): DomainSignals {
  return {
    name: domain.name,
    registrable: domain.registrable,
    tld: domain.tld,
    sld: domain.sld,
    subdomain: domain.subdomain,
    domainAuthority: domain.domain_authority,
    tldTrust: domain.tld_trust,
    ageDays: domain.age_days,
    mx: domain.mx,
    mxRecords: domain.mx_records,
    mxProviders: domain.mx_providers,
    spf: domain.spf,
    dmarc: domain.dmarc,
    disposable: domain.disposable,
    disposableProvider: domain.disposable_provider,
    publicDomain: domain.public_domain,
    relayDomain: domain.relay_domain,
    freeSubdomain: domain.free_subdomain,
    spam: domain.spam,
    didYouMean: domain.did_you_mean,
    blocklisted: domain.blocklisted,
  };
}

function ipFromBody({ address, abuse, anonymity, hosting, geo, network }: ReturnType<typeof ipBody>): IpSignals {
  return {
    address,
    abuse,
    anonymity,
    hosting,
    geo: {
      country: geo.country,
      countryCode: geo.country_code,
      continent: geo.continent,
      continentCode: geo.continent_code,
      city: geo.city,
    },
    network,
  };
}
