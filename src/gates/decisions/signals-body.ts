import type { DomainSignals, EmailSignals, IpSignals } from '../rules/signals.ts';

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
