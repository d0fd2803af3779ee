import type { IpAddress } from '../address/ip.ts';
import type { ReadDecisionSignals } from '../gates/decisions/decision.ts';
import type { ReadTraceSubject } from '../gates/reports/trace.ts';
import { gateSignals, placeOf, type Values } from '../gates/rules/signals.ts';
import type { IpKnowledge } from '../ip/ip-knowledge.ts';
import type { Lookup, LookupResult } from '../lookups/lookup.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import { memoiseByObject } from '../platform/memoise-by-object.ts';
import { type Reading, valueOrNull } from '../reading.ts';
import type { Readings } from '../signals/engine.ts';
import type { SignalValue } from '../signals/value-schema.ts';
import type { ReadTraffic } from './decision-traffic.ts';

/** Lets gates decide from the readings of lookups, under the names of the field catalogue. */
export function decisionSignalsFrom(
  lookup: Lookup,
  readIp: (ip: IpAddress) => IpKnowledge,
  readTraffic: ReadTraffic = () => null,
): ReadDecisionSignals {
  const warmDomainValues = createWarmDomainValues();
  return ({ subject, ip, wait, withinMs }, caller, deviceKey) => {
    const compose = (result: LookupResult) => {
      const email = result.subject.address === null ? null : addressValues(result);
      const domain = warmDomainValues(result);
      const values = ip === null ? null : ipValues(readIp(ip));
      const namedBy = namingsOf(result.readings, result);
      return mapMaybePromise(readTraffic(result, email, { ip, deviceKey, asn: asnIn(values) }, caller), (traffic) => {
        return { email, domain, ip: values, traffic, namedBy };
      });
    };
    return mapMaybePromise(
      lookup(subject, caller, { includeMx: true, wait, ...(withinMs === undefined ? {} : { withinMs }) }),
      compose,
    );
  };
}

/** The same for a trace, with the reason why a value is unknown. */
export function traceSubjectsFrom(
  lookup: Lookup,
  readIp: (ip: IpAddress) => IpKnowledge,
  readTraffic: ReadTraffic,
): ReadTraceSubject {
  return async ({ subject, ip, wait }, caller, deviceKey) => {
    const result = await lookup(subject, caller, { includeMx: true, wait });
    const email = result.subject.address === null ? null : addressReadings(result);
    const domain = domainReadings(result);
    const values = ip === null ? null : ipValues(readIp(ip));
    const address = email?.map(valueOrNull) ?? null;
    const traffic = await readTraffic(result, address, { ip, deviceKey, asn: asnIn(values) }, caller);
    return {
      signals: { email: address, domain: domain.map(valueOrNull), ip: values, traffic },
      reasons: {
        email: email?.map(reasonOrNull) ?? null,
        domain: domain.map(reasonOrNull),
        ip: values && [],
        traffic: traffic && [],
      },
    };
  };
}

const asnPlace = placeOf('ip', 'network.asn');
const asnIn = (ip: Values | null): number | null => (ip?.[asnPlace] ?? null) as number | null;

const reasonOrNull = (reading: Reading<unknown>): string | null => (reading.known ? null : reading.reason);

function addressReadings({ subject, sources }: LookupResult): Reading<SignalValue>[] {
  return gateSignals.email.map((signal) => signal.read(subject, sources));
}

function domainReadings(result: LookupResult): Reading<SignalValue>[] {
  return gateSignals.domain.map((signal) =>
    'readForCaller' in signal ? signal.readForCaller(result) : result.readings[signal.key as keyof Readings],
  );
}

function addressValues({ subject, sources }: LookupResult): Values {
  return gateSignals.email.map((signal) => valueOrNull(signal.read(subject, sources)));
}

function ipValues(ip: IpKnowledge): Values {
  return gateSignals.ip.map((signal) => signal.read(ip));
}

/** Made with the readings: they are of the same lists. */
const namingsOf = memoiseByObject((_readings: Readings, { subject, sources }: LookupResult) =>
  sources.lists.namedBy(subject.domain.ascii),
);

/** Returns the same list for a domain until something about it changes, so that derived values can be cached with the list. */
function createWarmDomainValues(): (result: LookupResult) => Values {
  const valuesOf = memoiseByObject((_readings: Readings) => new Map<boolean | null, Values>());
  return (result) => {
    const byBlocklist = valuesOf(result.readings);
    let values = byBlocklist.get(result.blocklisted);
    if (values === undefined) {
      values = domainValues(result);
      byBlocklist.set(result.blocklisted, values);
    }
    return values;
  };
}

function domainValues(result: LookupResult): Values {
  return domainReadings(result).map(valueOrNull);
}
