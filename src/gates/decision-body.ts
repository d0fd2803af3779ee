import { wireTime } from '../http/wire-time.ts';
import type { Decision } from './decision.ts';
import type { LoggedDecision } from './decision-entry.ts';
import type { DecisionSignals, DomainSignals, EmailSignals, IpSignals } from './signals.ts';

/** The answer of a decision. */
export function decisionBody(decision: Decision) {
  const { input, action, matchedRule, signals } = decision;
  return {
    input,
    decision: {
      action,
      matched_rule:
        matchedRule === null ? null : { id: matchedRule.id, name: matchedRule.name, message: matchedRule.message },
    },
    signals: signalsBody(signals),
    meta: {
      version: decision.version,
      request_id: decision.requestId,
      decision_id: decision.id,
      duration_ms: decision.durationMs,
      created_at: wireTime(decision.createdAtMs),
    },
  };
}

/** An entry of the log: the answer with its id beside it. */
export function logEntryBody({ decision, hidden }: LoggedDecision) {
  const body = decisionBody(decision);
  const { email } = body.signals;
  if (hidden !== null && email !== null) Object.assign(email, hidden);
  return { id: decision.id, ...body };
}

function signalsBody({ email, domain, ip }: DecisionSignals) {
  return {
    email: email === null ? null : emailBody(email),
    domain: domainBody(domain),
    ip: ip === null ? null : ipBody(ip),
  };
}

function emailBody(email: EmailSignals) {
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

function domainBody(domain: DomainSignals) {
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

function ipBody({ address, abuse, anonymity, hosting, geo, network }: IpSignals) {
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
