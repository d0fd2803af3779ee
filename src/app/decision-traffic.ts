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
import { standing } from '../traffic/observation.ts';
import type { Traffic, Visit } from '../traffic/traffic.ts';
import { shapeOf } from '../waves/shape.ts';

/** What is known of the visitor besides the address. */
export interface Visitor {
  readonly ip: IpAddress | null;
  readonly deviceKey: string | null;
}

/** The traffic of a decision; null for a domain input. */
export type ReadTraffic = (
  result: LookupResult,
  email: Values | null,
  visitor: Visitor,
  caller: Caller,
) => Values | null | Promise<Values | null>;

const normalizedPlace = placeOf('email', 'normalized');

/** Counts decisions by what lookups know about their subject; `peek` reads the same values without counting. */
export function createDecisionTraffic(
  traffic: Pick<Traffic, 'count' | 'peek'>,
  firstSeen: Pick<FirstSeen, 'daysSince'>,
  lists: Pick<ListSource, 'isListed'>,
): Readonly<Record<'count' | 'peek', ReadTraffic>> {
  const mailServerOf = createMailServerOf(lists);
  const reader =
    (read: (visit: Visit, firstSeenDays: number | null) => Values): ReadTraffic =>
    ({ subject: { address, domain }, readings, sources }, email, { ip, deviceKey }, caller) => {
      if (address === null || email === null) return null;
      const registrable = domain.registrable ?? domain.ascii;
      const localPart = address.localPart.toLowerCase();
      const readFrom = (days: number | null): Values => {
        const domainStanding = standingOf(readings, days);
        const visit: Visit = {
          owner: caller,
          address: String(email[normalizedPlace]),
          spelling: `${localPart}@${domain.ascii}`,
          domain: registrable,
          mailServer: mailServerOf(readings) || null,
          ip,
          device: deviceKey,
          standing: domainStanding,
          shape: domainStanding === 0 ? shapeOf(localPart) : null,
        };
        return read(visit, days);
      };
      return mapMaybePromise(firstSeen.daysSince(caller, registrable, sources.nowMs), readFrom);
    };
  return { count: reader(traffic.count), peek: reader(traffic.peek) };
}

/** The authority from which on a domain is established. */
const establishedAuthority = 50;
/** A domain without it is established if it was registered five years ago and seen here for a week. */
const establishedAgeDays = Math.floor(5 * 365.25);
const establishedSeenDays = 7;

/** Bits of `standing`. */
function standingOf({ publicDomain, domainAuthority, domainAge }: Readings, firstSeenDays: number | null): number {
  const isOld = domainAge.known && domainAge.value >= establishedAgeDays && (firstSeenDays ?? 0) >= establishedSeenDays;
  const isEstablished = isOld || (domainAuthority.known && domainAuthority.value >= establishedAuthority);
  return (publicDomain.known && publicDomain.value ? standing.public : 0) | (isEstablished ? standing.established : 0);
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
