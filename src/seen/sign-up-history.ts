import type { IpAddress } from '../address/ip.ts';
import type { Owner } from '../http/endpoint.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import type { HasBadOutcome } from './bad-outcomes.ts';
import type { FirstSeen, SeenHistory } from './first-seen.ts';
import type { Sightings } from './sightings.ts';

/** On which days sign-ups at a domain came, and from how many networks. */
export interface SignUpHistory {
  /** Notes a sign-up from an IP address. */
  note(owner: Owner, registrable: string, ip: IpAddress | null, nowMs: number): void;
  /** Whether sign-ups came on three earlier days, the first at least a week ago, and from three networks, and none is reported bad. */
  isUsual(owner: Owner, registrable: string, nowMs: number): boolean | Promise<boolean>;
}

const minSinceDays = 7;
const minEarlierDays = 3;
const minNetworks = 3;
/** Networks are kept as one of so many slots: those of different slots differ, and a slot identifies no one. */
const slots = Array.from({ length: 16 }, (_, slot) => slot);
/** Octets of a network: a /24, of IPv6 a /48. */
const octets = { 4: 3, 6: 6 } as const;

/** Names beside those of domains; an erased domain's names end with it, too. */
const daysName = (registrable: string): string => `sign-ups/${registrable}`;
const networkName = (slot: number, registrable: string): string => `network-${slot}/${registrable}`;

export function createSignUpHistory(
  sightings: Pick<Sightings, 'note'>,
  firstSeen: Pick<FirstSeen, 'historyOf'>,
  hasBadOutcome: HasBadOutcome,
): SignUpHistory {
  return {
    note(owner, registrable, ip, nowMs) {
      sightings.note(owner, daysName(registrable), 0, nowMs);
      if (ip !== null) sightings.note(owner, networkName(slotOf(ip), registrable), 0, nowMs);
    },
    isUsual(owner, registrable, nowMs) {
      const names = [daysName(registrable), ...slots.map((slot) => networkName(slot, registrable))];
      const histories = names.map((name) => firstSeen.historyOf(owner, name, nowMs));
      const isKnown = (all: typeof histories): all is (SeenHistory | null)[] =>
        !all.some((one) => one instanceof Promise);
      const known = isKnown(histories) ? histories : Promise.all(histories);
      return mapMaybePromise(known, (all) => {
        if (!areUsual(all)) return false;
        return mapMaybePromise(hasBadOutcome(owner, registrable, nowMs), (isBad) => !isBad);
      });
    },
  };
}

function areUsual([days, ...networks]: readonly (SeenHistory | null)[]): boolean {
  if (!days || days.sinceDays < minSinceDays || days.earlierDays < minEarlierDays) return false;
  return networks.filter((network) => (network?.earlierDays ?? 0) > 0).length >= minNetworks;
}

function slotOf({ version, bytes }: IpAddress): number {
  let mixed = 0;
  for (const octet of bytes.subarray(0, octets[version])) mixed = Math.imul(mixed ^ octet, 0x9e3779b1);
  return (mixed >>> 16) % slots.length;
}
