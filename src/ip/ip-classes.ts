import classes from '../../data/asn-classes.json' with { type: 'json' };

interface Entry {
  readonly asn: number;
  readonly class: string;
  /** Given where the class leaves it open, or says no although VPN services rent servers there (null). */
  readonly vpn?: boolean | null;
}

const entries: readonly Entry[] = classes.entries;

/** The classes we gave by hand, by number of the autonomous system. */
export const curatedClasses: ReadonlyMap<number, string> = new Map(
  entries.map((entry): [number, string] => [entry.asn, entry.class]),
);

const vpnByHand: ReadonlyMap<number, boolean | null> = new Map(
  entries.flatMap(({ asn, vpn }): [number, boolean | null][] => (vpn === undefined ? [] : [[asn, vpn]])),
);

/** Networks of people. Servers for rent are somewhere else, as a rule that a list of servers may overrule. */
const peopleClasses: ReadonlySet<string> = new Set(['isp', 'education', 'government', 'business']);

/** What kind of network an autonomous system is; null when we have not classified it. */
export function networkClass(asn: number | null): string | null {
  return asn === null ? null : (curatedClasses.get(asn) ?? null);
}

/**
 * What a network's class says about hosting: yes for hosting, no for networks of people, nothing for the rest. A VPN or a
 * content network may be either, a transit carrier leases its addresses to anybody, and of a network without a class nothing is known, however well its number is.
 */
export function isHostingClass(networkType: string | null): boolean | null {
  if (networkType === 'hosting') return true;
  return networkType !== null && peopleClasses.has(networkType) ? false : null;
}

/**
 * What a network says about VPNs: yes for the class vpn, what we noted of the network, no for other networks of people, nothing for
 * the rest, since VPNs rent servers anywhere.
 */
export function isVpnNetwork(asn: number | null, networkType: string | null): boolean | null {
  if (networkType === 'vpn') return true;
  const byHand = asn === null ? undefined : vpnByHand.get(asn);
  if (byHand !== undefined) return byHand;
  return networkType !== null && peopleClasses.has(networkType) ? false : null;
}
