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
import type { SignUpHistory } from '../seen/sign-up-history.ts';
import type { Readings } from '../signals/engine.ts';
import type { ListSource } from '../signals/sources.ts';
import { trait } from '../traffic/observation.ts';
import type { Traffic, Visit } from '../traffic/traffic.ts';
import { shapeOf } from '../waves/shape.ts';

/** The visitor's IP address, device and network. */
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

/** The environment's earlier domains and sign-ups. */
export interface SeenHere {
  readonly firstSeen: Pick<FirstSeen, 'historyOf'>;
  readonly signUps: SignUpHistory;
}

/** Counts decisions by the signals of their subject; `peek` reads the same values without counting. */
export function createDecisionTraffic(
  traffic: Pick<Traffic, 'count' | 'peek'>,
  { firstSeen, signUps }: SeenHere,
  lists: Pick<ListSource, 'isListed'>,
): Readonly<Record<'count' | 'peek', ReadTraffic>> {
  const mailServerOf = createMailServerOf(lists);
  const reader =
    (read: (visit: Visit, firstSeenDays: number | null) => Values, isCounted: boolean): ReadTraffic =>
    ({ subject: { address, domain }, readings, sources }, email, { ip, deviceKey, asn }, caller) => {
      if (address === null || email === null) return null;
      const registrable = domain.registrable ?? domain.ascii;
      const localPart = address.localPart.toLowerCase();
      const { nowMs, facts } = sources;
      const known = knownOf(readings, facts.rank !== null);
      const readFrom = (history: SeenHistory | null, isUsual: boolean): Values => {
        const traits = known.traits | (isUsual ? trait.established : 0) | freshTrait(readings, history);
        if (isCounted && known.isCandidate) signUps.note(caller, registrable, ip, nowMs);
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
      return mapMaybePromise(firstSeen.historyOf(caller, registrable, nowMs), (history) => {
        // A domain that was seen for less than a week has no older sign-ups.
        if (!known.isCandidate || (history?.sinceDays ?? 0) < establishedSinceDays) return readFrom(history, false);
        return mapMaybePromise(signUps.isUsual(caller, registrable, nowMs), (isUsual) => readFrom(history, isUsual));
      });
    };
  return { count: reader(traffic.count, true), peek: reader(traffic.peek, false) };
}

const exemptTraits = trait.public | trait.relay | trait.established;

/** The authority by a ranking from which on a domain is established. */
const establishedAuthority = 50;
/** A domain without it is established if it was registered five years ago, with usual sign-ups here: see `SignUpHistory`. */
const establishedAgeDays = Math.floor(5 * 365.25);
const establishedSinceDays = 7;
/** A domain is fresh on the day on which it is first seen, and on the next: an attack may begin before midnight. */
const freshDays = 2;

/** Bits of `trait` from the domain's readings, and whether earlier sign-ups could make it established. */
function knownOf(
  { publicDomain, relayDomain, domainAuthority, domainAge }: Readings,
  isRanked: boolean,
): { readonly traits: number; readonly isCandidate: boolean } {
  const hasAuthority = isRanked && domainAuthority.known && domainAuthority.value >= establishedAuthority;
  const traits =
    (publicDomain.known && publicDomain.value ? trait.public : 0) |
    (relayDomain.known && relayDomain.value ? trait.relay : 0) |
    (hasAuthority ? trait.established : 0);
  return { traits, isCandidate: traits === 0 && domainAge.known && domainAge.value >= establishedAgeDays };
}

/** A domain that receives no mail is not fresh: its addresses cannot exist, and anyone can make them up for nothing. */
const freshTrait = ({ mxRecords }: Readings, history: SeenHistory | null): number => {
  const receivesNoMail = mxRecords.known && mxRecords.value.length === 0;
  return history !== null && history.sinceDays < freshDays && !receivesNoMail ? trait.fresh : 0;
};

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
