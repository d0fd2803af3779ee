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
import type { FirstSeen, SeenHistory } from '../seen/first-seen.ts';
import type { Readings } from '../signals/engine.ts';
import type { ListSource } from '../signals/sources.ts';
import { trait } from '../traffic/observation.ts';
import type { Traffic, Visit } from '../traffic/traffic.ts';
import { shapeOf } from '../waves/shape.ts';

/** What is known of the visitor besides the address. */
export interface Visitor {
  readonly ip: IpAddress | null;
  readonly deviceKey: string | null;
  /** The number of the autonomous system; null while it is unknown. */
  readonly asn: number | null;
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
  firstSeen: Pick<FirstSeen, 'historyOf'>,
  lists: Pick<ListSource, 'isListed'>,
): Readonly<Record<'count' | 'peek', ReadTraffic>> {
  const mailServerOf = createMailServerOf(lists);
  const reader =
    (read: (visit: Visit, firstSeenDays: number | null) => Values): ReadTraffic =>
    ({ subject: { address, domain }, readings, sources }, email, { ip, deviceKey, asn }, caller) => {
      if (address === null || email === null) return null;
      const registrable = domain.registrable ?? domain.ascii;
      const localPart = address.localPart.toLowerCase();
      const readFrom = (history: SeenHistory | null): Values => {
        const traits = traitsOf(readings, sources.facts.rank !== null, history);
        const visit: Visit = {
          owner: caller,
          address: String(email[normalizedPlace]),
          spelling: `${localPart}@${domain.ascii}`,
          domain: registrable,
          mailServer: mailServerOf(readings) || null,
          ip,
          asn,
          device: deviceKey,
          traits,
          shape: (traits & exemptTraits) === 0 ? shapeOf(localPart) : null,
        };
        return read(visit, history?.sinceDays ?? null);
      };
      return mapMaybePromise(firstSeen.historyOf(caller, registrable, sources.nowMs), readFrom);
    };
  return { count: reader(traffic.count), peek: reader(traffic.peek) };
}

const exemptTraits = trait.public | trait.relay | trait.established;

/** The authority by a ranking from which on a domain is established. */
const establishedAuthority = 50;
/** A domain without it is established if it was registered five years ago, and seen here on three earlier days, the first a week ago. */
const establishedAgeDays = Math.floor(5 * 365.25);
const establishedSinceDays = 7;
const establishedEarlierDays = 3;
/** A domain is fresh on the day on which it is first seen, and on the next: an attack may begin before midnight. */
const freshDays = 2;

/** Bits of `trait`. */
function traitsOf(
  { publicDomain, relayDomain, domainAuthority, domainAge }: Readings,
  isRanked: boolean,
  history: SeenHistory | null,
): number {
  const { sinceDays, earlierDays } = history ?? { sinceDays: 0, earlierDays: 0 };
  const isOld = domainAge.known && domainAge.value >= establishedAgeDays;
  const isUsual = sinceDays >= establishedSinceDays && earlierDays >= establishedEarlierDays;
  const hasAuthority = isRanked && domainAuthority.known && domainAuthority.value >= establishedAuthority;
  return (
    (publicDomain.known && publicDomain.value ? trait.public : 0) |
    (relayDomain.known && relayDomain.value ? trait.relay : 0) |
    (hasAuthority || (isOld && isUsual) ? trait.established : 0) |
    (history !== null && sinceDays < freshDays ? trait.fresh : 0)
  );
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
