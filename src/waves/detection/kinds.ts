import { linkOf } from '../links.ts';
import { type WaveKind, waveKinds } from '../wave-kind.ts';
import type { ObservedRow } from './observed-row.ts';
import { thresholds } from './thresholds.ts';

/** One kind of wave, for the detection. Its text and its rules are in `../kind-rows.ts`. */
export interface DetectedKind {
  readonly kind: WaveKind;
  /** The value of a decision; 0 where it has none or is exempt. */
  keyOf(row: ObservedRow): number;
  /** The member, which counts once. */
  memberOf(row: ObservedRow): number;
  /** Whether values that share one of this kind are one attack. */
  readonly joinsAttacks: boolean;
  /** The minimum of distinct domains; with fewer, its domain describes it. */
  readonly minDomains: number;
  /** The minimum of distinct networks. */
  readonly minNetworks: number;
  /** How long an environment must be known. */
  readonly knownMs: number;
}

const common = { joinsAttacks: true, minDomains: 1, minNetworks: 0, knownMs: 0 } as const;
const address = (row: ObservedRow): number => row.mailbox;
const spelling = (row: ObservedRow): number => row.spelling;

/** The key of all new domains together. */
export const newDomainsKey = 1;

/** Keys of wider networks are negative, so that they are no network's. */
export const wideKey = (wideNetwork: number): number => (wideNetwork === 0 ? 0 : -wideNetwork);
const firstAsKey = -(2 ** 33);
export const asKey = (asn: number): number => firstAsKey - asn;
/** The number of a key's autonomous system; null for other keys. */
export const asnOfKey = (key: number): number | null => (key < firstAsKey ? firstAsKey - key : null);

/** Orders values from narrow to wide: by kind, and within networks one network, a block of neighbours, an autonomous system. */
export function widthOf(kind: WaveKind, key: number): number {
  const isOneNetwork = kind !== 'network' || key > 0;
  return waveKinds.indexOf(kind) * 3 + (isOneNetwork ? 0 : asnOfKey(key) === null ? 1 : 2);
}

/**
 * The kinds in the order of `waveKinds`, one row each, and a second row for networks: an attack from everywhere in a /20 (IPv6: a /32)
 * needs no surge of a single network.
 */
export const detectedKinds: readonly DetectedKind[] = [
  { ...common, joinsAttacks: false, kind: 'mailbox', keyOf: (row) => row.mailbox, memberOf: spelling },
  { ...common, kind: 'device', keyOf: (row) => row.device, memberOf: address },
  {
    ...common,
    joinsAttacks: false,
    kind: 'domain',
    keyOf: (row) => (row.isPrivate ? row.domain : 0),
    memberOf: address,
  },
  {
    ...common,
    kind: 'mail_server',
    keyOf: (row) => (row.isPrivate ? row.mailServer : 0),
    memberOf: address,
    minDomains: thresholds.mailServerDomains,
  },
  // An office, a school or a conference counts only its private addresses.
  { ...common, kind: 'network', keyOf: (row) => (row.isEstablishedOnly ? 0 : row.network), memberOf: spelling },
  {
    ...common,
    kind: 'network',
    keyOf: (row) => (row.isEstablishedOnly ? 0 : wideKey(row.wideNetwork)),
    memberOf: spelling,
    minNetworks: thresholds.wideNetworks,
  },
  { ...common, kind: 'shape', keyOf: (row) => (row.isPrivate ? row.shape : 0), memberOf: address },
  {
    ...common,
    joinsAttacks: false,
    kind: 'new_domains',
    keyOf: (row) => (row.isPrivate && row.isFresh ? newDomainsKey : 0),
    memberOf: (row) => row.domain,
    knownMs: thresholds.newDomainsKnownMs,
  },
];

/** The index of the first kind of which a decision has a value judged fine; beyond the last without one. */
export function silencedFrom(row: ObservedRow, silent: ReadonlySet<string>): number {
  const place = detectedKinds.findIndex(
    ({ kind, keyOf, minNetworks }) =>
      silent.has(linkOf(kind, keyOf(row))) || (minNetworks > 0 && silent.has(linkOf(kind, asKey(row.asn)))),
  );
  return place === -1 ? detectedKinds.length : place;
}

/** By the index in `detectedKinds`: the keys of values that surge, each until a moment. */
export type KeysByKind = readonly ReadonlyMap<number, number>[];

/** Reads links once: texts for every decision and row would cost most of a round. */
export function keysByKind(values: Iterable<readonly [link: string, untilMs: number]>): KeysByKind {
  const all = [...values];
  return detectedKinds.map(({ kind }) => {
    const prefix = linkOf(kind, '');
    const own = all.filter(([link]) => link.startsWith(prefix));
    return new Map(own.map(([link, untilMs]) => [Number(link.slice(prefix.length)), untilMs]));
  });
}

/** The moment until which a decision's values surge; 0 if it has none of them. */
export function surgesUntil(row: ObservedRow, values: KeysByKind): number {
  let untilMs = 0;
  for (const [place, { keyOf }] of detectedKinds.entries()) {
    const own = values[place];
    if (own !== undefined && own.size > 0) untilMs = Math.max(untilMs, own.get(keyOf(row)) ?? 0);
  }
  return untilMs;
}
