import mxProviderTable from '../../data/mx-providers.json' with { type: 'json' };
import { parseDomain } from '../address/domain.ts';
import type { IpAddress } from '../address/ip.ts';
import { placeOf, type Values } from '../gates/rules/signals.ts';
import type { Caller } from '../http/endpoint.ts';
import type { LookupResult } from '../lookups/lookup.ts';
import { longestSuffix } from '../mail/host-suffix.ts';
import { compileMxProviders } from '../mail/mx-providers.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import { memoiseByObject } from '../platform/memoise-by-object.ts';
import type { FirstSeen } from '../seen/first-seen.ts';
import type { Readings } from '../signals/engine.ts';
import type { ListSource } from '../signals/sources.ts';
import type { Traffic, Visit } from '../traffic/traffic.ts';

/** The traffic of a decision; null for a domain input. */
export type ReadTraffic = (
  result: LookupResult,
  email: Values | null,
  ip: IpAddress | null,
  caller: Caller,
) => Values | null | Promise<Values | null>;

const normalizedPlace = placeOf('email', 'normalized');

/** Counts decisions by what lookups know about their subject; `peek` reads the same values without counting. */
export function createDecisionTraffic(
  traffic: Traffic,
  firstSeen: Pick<FirstSeen, 'daysSince'>,
  lists: Pick<ListSource, 'isListed'>,
): Readonly<Record<keyof Traffic, ReadTraffic>> {
  const mailServerOf = createMailServerOf(lists);
  const reader =
    (read: (visit: Visit, firstSeenDays: number | null) => Values): ReadTraffic =>
    ({ subject: { address, domain }, readings, sources }, email, ip, caller) => {
      if (address === null || email === null) return null;
      const registrable = domain.registrable ?? domain.ascii;
      const visit: Visit = {
        owner: caller,
        address: String(email[normalizedPlace]),
        spelling: `${address.localPart.toLowerCase()}@${domain.ascii}`,
        domain: registrable,
        mailServer: mailServerOf(readings) || null,
        ip,
      };
      return mapMaybePromise(firstSeen.daysSince(caller, registrable, sources.nowMs), (days) => read(visit, days));
    };
  return { count: reader(traffic.count), peek: reader(traffic.peek) };
}

/** The registrable domain of a domain's best MX, or its host; empty while it is unknown and for mail servers that everyone shares. */
function createMailServerOf(lists: Pick<ListSource, 'isListed'>): (readings: Readings) => string {
  const providers = compileMxProviders(mxProviderTable.entries).bySuffix;
  return memoiseByObject(({ mxRecords, publicDomain }: Readings): string => {
    const host = mxRecords.known ? mxRecords.value[0]?.hostname : undefined;
    if (host === undefined || (publicDomain.known && publicDomain.value)) return '';
    const server = parseDomain(host)?.registrable ?? host;
    return longestSuffix(host, providers) !== null || lists.isListed('public', server) ? '' : server;
  });
}
