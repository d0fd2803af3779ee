import classes from '../../data/asn-classes.json' with { type: 'json' };

interface Entry {
  readonly asn: number;
  readonly class: string;
  /** Given where the class leaves it open, or null where the class says no although VPN services rent servers there. */
  readonly vpn?: boolean | null;
}

const entries: readonly Entry[] = classes.entries;

/** The manually assigned classes, by number of the autonomous system. */
export const curatedClasses: ReadonlyMap<number, string> = new Map(
  entries.map((entry): [number, string] => [entry.asn, entry.class]),
);

const vpnByHand: ReadonlyMap<number, boolean | null> = new Map(
  entries.flatMap(({ asn, vpn }): [number, boolean | null][] => (vpn === undefined ? [] : [[asn, vpn]])),
);

/** Networks of people. They have no servers for rent, unless a list of servers says otherwise. */
const peopleClasses: ReadonlySet<string> = new Set(['isp', 'education', 'government', 'business']);

/** The class of an autonomous system; null when it is not classified. */
export function networkClass(asn: number | null): string | null {
  return asn === null ? null : (curatedClasses.get(asn) ?? null);
}

/**
 * Whether a network's class means hosting: yes for hosting, no for networks of people, unknown for the rest. A VPN or a content
 * network may be either, a transit carrier leases its addresses to anyone, and a network without a class may be anything.
 */
export function isHostingClass(networkType: string | null): boolean | null {
  if (networkType === 'hosting') return true;
  return networkType !== null && peopleClasses.has(networkType) ? false : null;
}

/**
 * Whether a network means a VPN: yes for the class vpn, else the network's own note, no for other networks of people, unknown for
 * the rest, since VPN services rent servers anywhere.
 */
export function isVpnNetwork(asn: number | null, networkType: string | null): boolean | null {
  if (networkType === 'vpn') return true;
  const byHand = asn === null ? undefined : vpnByHand.get(asn);
  if (byHand !== undefined) return byHand;
  return networkType !== null && peopleClasses.has(networkType) ? false : null;
}
