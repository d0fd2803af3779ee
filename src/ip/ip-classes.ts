import classes from '../../data/asn-classes.json' with { type: 'json' };

/** The classes we gave by hand, by number of the autonomous system. */
export const curatedClasses: ReadonlyMap<number, string> = new Map(
  classes.entries.map((entry): [number, string] => [entry.asn, entry.class]),
);

/** Networks of people. Servers for rent are somewhere else, as a rule that a list of servers may overrule. */
const peopleClasses: ReadonlySet<string> = new Set(['isp', 'education', 'government', 'business']);

/** What kind of network an autonomous system is; null when we have not classified it. */
export function networkClass(asn: number | null): string | null {
  return asn === null ? null : (curatedClasses.get(asn) ?? null);
}

/**
 * What a network's class says about hosting: yes for hosting, no for networks of people, nothing for the rest. A VPN or a
 * content network may be either, and of a network without a class nothing is known, however well its number is.
 */
export function isHostingClass(networkType: string | null): boolean | null {
  if (networkType === 'hosting') return true;
  return networkType !== null && peopleClasses.has(networkType) ? false : null;
}

/**
 * What a network's class says about VPNs: yes for vpn, no for networks of people, nothing for the rest, since VPNs rent
 * servers anywhere.
 */
export function isVpnClass(networkType: string | null): boolean | null {
  if (networkType === 'vpn') return true;
  return networkType !== null && peopleClasses.has(networkType) ? false : null;
}
