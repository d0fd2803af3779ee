import type { IpAddress } from '../address/ip.ts';
import type { ReadDecisionSignals } from '../gates/decisions/decision.ts';
import { characterCount } from '../gates/rules/json-value.ts';
import type { DomainSignals, EmailSignals, IpSignals } from '../gates/rules/signals.ts';
import type { Lookup, LookupResult } from '../lookups/lookup.ts';
import { valueOrNull } from '../reading.ts';
import type { Readings } from '../signals/engine.ts';
import { whenSettled } from '../time/when-settled.ts';

/** Lets gates decide from what lookups know: the same readings under the names of the field catalogue. */
export function decisionSignalsFrom(lookup: Lookup, readIp: (ip: IpAddress) => IpSignals): ReadDecisionSignals {
  const warmDomainSignals = createWarmDomainSignals();
  return ({ subject, ip, wait }, caller) => {
    const compose = (result: LookupResult) => ({
      email: emailSignals(result),
      domain: warmDomainSignals(result),
      ip: ip === null ? null : readIp(ip),
    });
    return whenSettled(lookup(subject, caller, { includeMx: true, wait }), compose);
  };
}

function emailSignals({ subject: { address }, readings }: LookupResult): EmailSignals | null {
  if (address === null) return null;
  return {
    address: address.submitted,
    normalized: valueOrNull(readings.normalizedEmail) ?? address.submitted.toLowerCase(),
    localPart: address.localPart,
    localPartLength: characterCount(address.localPart),
    subaddress: address.tag,
    disposable: valueOrNull(readings.disposableAddress),
    roleAccount: valueOrNull(readings.roleAccount),
  };
}

/** One object for a domain as long as nothing about it changes, so that what is made from it can be kept with it. */
function createWarmDomainSignals(): (result: LookupResult) => DomainSignals {
  const listed = new WeakMap<Readings, DomainSignals>();
  const others = new WeakMap<Readings, DomainSignals>();
  return (result) => {
    const { domainReadings, blocklisted } = result;
    const warm = blocklisted === true ? listed : others;
    const kept = warm.get(domainReadings);
    // On a plan without a blocklist nothing is known of it.
    if (kept !== undefined && kept.blocklisted === blocklisted) return kept;
    const signals = domainSignals(result);
    warm.set(domainReadings, signals);
    return signals;
  };
}

function domainSignals({ subject: { domain }, domainReadings: readings, blocklisted }: LookupResult): DomainSignals {
  return {
    name: domain.ascii,
    registrable: domain.registrable,
    tld: domain.tld,
    sld: domain.sld,
    subdomain: domain.subdomain,
    domainAuthority: valueOrNull(readings.domainAuthority),
    tldTrust: valueOrNull(readings.tldTrust),
    ageDays: valueOrNull(readings.domainAge),
    mx: valueOrNull(readings.mx),
    mxRecords: valueOrNull(readings.mxRecords),
    mxProviders: valueOrNull(readings.mxProviders),
    spf: valueOrNull(readings.spf),
    dmarc: valueOrNull(readings.dmarc),
    disposable: valueOrNull(readings.disposable),
    disposableProvider: valueOrNull(readings.disposableProvider),
    publicDomain: valueOrNull(readings.publicDomain),
    relayDomain: valueOrNull(readings.relayDomain),
    freeSubdomain: valueOrNull(readings.freeSubdomain),
    spam: valueOrNull(readings.spam),
    didYouMean: valueOrNull(readings.didYouMean),
    blocklisted,
  };
}
