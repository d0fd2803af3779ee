import type { IpAddress } from './address/ip.ts';
import { boundedMap } from './bounded-map.ts';
import type { ReadDecisionSignals } from './gates/decision.ts';
import { characterCount } from './gates/json-value.ts';
import type { DomainSignals, EmailSignals, IpSignals } from './gates/signals.ts';
import type { Lookup, LookupResult } from './lookups/lookup.ts';
import type { Readings } from './signals/engine.ts';
import { valueOrNull } from './signals/reading.ts';

/** Lets gates decide from what lookups know: the same readings under the names of the field catalogue. */
export function decisionSignalsFrom(lookup: Lookup, readIp: (ip: IpAddress) => IpSignals): ReadDecisionSignals {
  const warmDomainSignals = createWarmDomainSignals();
  return ({ subject, ip, wait }, caller) => {
    const compose = (result: LookupResult) => ({
      email: emailSignals(result),
      domain: warmDomainSignals(result),
      ip: ip === null ? null : readIp(ip),
    });
    const result = lookup(subject, caller, { includeMx: true, wait });
    return result instanceof Promise ? result.then(compose) : compose(result);
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

/** The readings that the signals of a domain are made from. */
const domainReadings = [
  'domainAuthority',
  'tldTrust',
  'domainAge',
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
] as const satisfies (keyof Readings)[];

const maxWarmDomains = 10_000;

/**
 * One object for a domain as long as nothing about it changes, so that what is made from it can be kept with it.
 * Readings are replaced, never changed: their identity tells.
 */
function createWarmDomainSignals(): (result: LookupResult) => DomainSignals {
  const warm = boundedMap<string, { readings: Readings; signals: DomainSignals }>(maxWarmDomains);
  return (result) => {
    const { subject, readings, blocklisted } = result;
    const key = blocklisted === true ? `${subject.domain.ascii}!` : subject.domain.ascii;
    const kept = warm.get(key);
    if (kept !== undefined && kept.signals.blocklisted === blocklisted && isSame(kept.readings, readings)) {
      return kept.signals;
    }
    const signals = domainSignals(result);
    warm.set(key, { readings, signals });
    return signals;
  };
}

function isSame(one: Readings, other: Readings): boolean {
  for (const name of domainReadings) if (one[name] !== other[name]) return false;
  return true;
}

function domainSignals({ subject: { domain }, readings, blocklisted }: LookupResult): DomainSignals {
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
