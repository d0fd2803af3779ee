import type { YieldWhenDue } from '../../platform/yielding.ts';
import { wordsEach } from '../../traffic/observation-block.ts';
import { linkOf } from '../links.ts';
import { type WaveKind, waveKinds } from '../wave-kind.ts';
import { countWhere, hasDistinct, sharedBy } from './distinct.ts';
import { asKey, type DetectedKind, detectedKinds } from './kinds.ts';
import type { ObservedRow } from './observed-row.ts';
import type { Surge } from './surges.ts';
import { thresholds } from './thresholds.ts';
import { countMembers } from './value-groups.ts';

/** Values as links, each with the moment at which its surge ends unless another address arrives. */
export type SurgingValues = ReadonlyMap<string, number>;

/** Surges with common addresses or values: one attack. */
export interface Attack {
  readonly kind: WaveKind;
  /** The value that describes it. */
  readonly key: number;
  /** The values that surge, each with the moment until which decisions with it belong to the attack. */
  readonly values: SurgingValues;
  readonly rows: readonly ObservedRow[];
  /** The surge that describes it best. */
  readonly surge: Surge;
  /** The last of its surges ends at this moment unless another address arrives. */
  readonly untilMs: number;
  readonly usualPerHour: number;
  /** The value and everything that links it to the same attack. */
  readonly links: ReadonlySet<string>;
}

/** A surge with the rows that count for it. */
interface Group {
  readonly surges: Surge[];
  /** No row is in two groups. */
  readonly rows: ObservedRow[];
  readonly links: Set<string>;
}

/** The maximum number of surges in a round; more would make the round long, and groups have numbers of 8 bits. */
const maxSurges = 200;

/** Attacks among the surges of one window: each row counts for one, in the order of the kinds. */
export async function findAttacks(
  surges: readonly Surge[],
  knownMs: number,
  yieldWhenDue: YieldWhenDue,
): Promise<Attack[]> {
  const inOrder = surges
    .toSorted((one, other) => other.count - one.count)
    .slice(0, maxSurges)
    .sort((one, other) => detectedKinds.indexOf(one.detected) - detectedKinds.indexOf(other.detected));
  const wider = detectedKinds.filter((kind) => knownMs >= kind.knownMs);
  const attacks: Attack[] = [];
  for (const group of mergeGroups(await coverRows(inOrder, yieldWhenDue), wider)) {
    await yieldWhenDue();
    attacks.push(describe(group, wider));
  }
  return attacks;
}

/** Each surge takes the rows that no earlier surge has; a surge left with too few joins the attack that has its other rows. */
async function coverRows(surges: readonly Surge[], yieldWhenDue: YieldWhenDue): Promise<Group[]> {
  /** By the places of rows: the number of the group that has taken it, from 1 on. */
  const takenBy = new Uint8Array(1 + Math.max(0, ...surges.map(({ rows }) => lastPlace(rows))) / wordsEach);
  const groups: Group[] = [];
  for (const surge of surges) {
    await yieldWhenDue();
    const rows: ObservedRow[] = [];
    const taken = new Map<number, number>();
    for (const row of surge.rows) {
      const number = takenBy[row.place / wordsEach] as number;
      if (number === 0) rows.push(row);
      else taken.set(number, (taken.get(number) ?? 0) + 1);
    }
    const covering = groups[mostFrequent(taken) - 1] ?? null;
    const isCovered = rows.length <= surge.rows.length * (1 - thresholds.mergedShare);
    if (covering !== null && isCovered) covering.links.add(linkOf(surge.kind, surge.key));
    let group = covering;
    await yieldWhenDue();
    if (countMembers(rows, surge.detected) >= surge.needed) {
      group = { surges: [surge], rows: [...rows], links: await linksOf(surge, rows, yieldWhenDue) };
      groups.push(group);
    } else if (group === null || !isCovered) continue;
    else {
      group.surges.push(surge);
      for (const row of rows) group.rows.push(row);
    }
    const number = groups.indexOf(group) + 1;
    for (const row of rows) takenBy[row.place / wordsEach] = number;
  }
  return groups;
}

/** The number with the largest count, the first of several; 0 without one. */
function mostFrequent(counts: ReadonlyMap<number, number>): number {
  let most = 0;
  for (const [number, count] of counts) if (count > (counts.get(most) ?? 0)) most = number;
  return most;
}

function lastPlace(rows: readonly ObservedRow[]): number {
  let last = 0;
  for (const { place } of rows) last = Math.max(last, place);
  return last;
}

/** The value itself, and the wider values shared by most of its rows. */
async function linksOf(surge: Surge, rows: readonly ObservedRow[], yieldWhenDue: YieldWhenDue): Promise<Set<string>> {
  const links = new Set([linkOf(surge.kind, surge.key)]);
  for (const wider of detectedKinds) {
    if (!wider.joinsAttacks) continue;
    await yieldWhenDue();
    const key = sharedBy(rows, wider.keyOf, thresholds.linkedShare);
    if (key !== 0) links.add(linkOf(wider.kind, key));
  }
  if (surge.kind === 'network') {
    const asn = sharedBy(rows, ({ asn: number }) => number, thresholds.linkedShare);
    if (asn !== 0) links.add(linkOf('network', asKey(asn)));
    const wide = sharedBy(rows, ({ wideNetwork }) => wideNetwork, thresholds.linkedShare);
    if (wide !== 0) links.add(linkOf('network', -wide));
  }
  return links;
}

/** Groups with a common link are one attack; so are many values of one kind if a wider value covers most of their rows. */
function mergeGroups(groups: readonly Group[], kinds: readonly DetectedKind[]): Group[] {
  let merged: Group[] = [];
  for (const group of groups) {
    const same = merged.filter(({ links }) => !links.isDisjointFrom(group.links));
    merged = [...merged.filter((one) => !same.includes(one)), joined([...same, group])];
  }
  for (const kind of waveKinds) {
    const ofKind = merged.filter(({ surges }) => surges[0]?.kind === kind);
    if (ofKind.length < thresholds.manyValues) continue;
    if (widerValue(ofKind, kind, kinds) === null) continue;
    merged = [...merged.filter((one) => !ofKind.includes(one)), joined(ofKind)];
  }
  return merged;
}

function joined(groups: readonly Group[]): Group {
  const [first, ...others] = groups;
  if (first === undefined) throw new Error('there is no group to join');
  for (const { surges, rows, links } of others) {
    first.surges.push(...surges);
    for (const row of rows) first.rows.push(row);
    for (const link of links) first.links.add(link);
  }
  return first;
}

/** A value of a wider kind common to nearly all rows of these groups. */
function widerValue(
  groups: readonly Pick<Group, 'rows'>[],
  kind: WaveKind,
  kinds: readonly DetectedKind[],
): { readonly kind: WaveKind; readonly key: number } | null {
  const rows = groups.flatMap((group) => group.rows);
  for (const wider of kinds) {
    if (waveKinds.indexOf(wider.kind) <= waveKinds.indexOf(kind)) continue;
    if (!hasDistinct(rows, ({ domain }) => domain, wider.minDomains)) continue;
    const key = sharedBy(rows, wider.keyOf, thresholds.describingShare);
    if (key !== 0) return { kind: wider.kind, key };
  }
  return null;
}

/** An attack is described by the first value, in the order of the kinds, that nearly all rows share, else by its largest surge. */
function describe(group: Group, kinds: readonly DetectedKind[]): Attack {
  const { surges, rows, links } = group;
  const all = [...rows].sort((one, other) => one.atMs - other.atMs);
  const largest = surges.reduce((best, one) => (one.count > best.count ? one : best));
  const describing = surges.find(({ detected, key }) => {
    const own = countWhere(all, (row) => detected.keyOf(row) === key);
    return own >= all.length * thresholds.describingShare;
  });
  const networks = neighboursOf(surges, all);
  const first = surges[0] ?? largest;
  const wider = describing === undefined && networks === null ? widerValue([group], first.kind, kinds) : null;
  const { kind, key } = describing ?? networks ?? wider ?? largest;
  const surge = describing ?? largest;
  const untilMs = Math.max(...surges.map((one) => one.untilMs));
  links.add(linkOf(kind, key));
  return {
    kind,
    key,
    values: new Map([
      ...surges.map((one) => [linkOf(one.kind, one.key), one.untilMs] as const),
      ...(wider === null ? [] : [[linkOf(kind, key), untilMs] as const]),
    ]),
    rows: all,
    surge,
    untilMs,
    usualPerHour: surge.usualPerHour,
    links,
  };
}

/** Several networks that surge, as one value: their common block or autonomous system. Null when other values surge, too. */
function neighboursOf(
  surges: readonly Surge[],
  rows: readonly ObservedRow[],
): { readonly kind: WaveKind; readonly key: number } | null {
  const networks = surges.filter(({ kind, key }) => kind === 'network' && key > 0);
  if (networks.length < 2) return null;
  const keys = new Set(networks.map(({ key }) => key));
  const own = countWhere(rows, (row) => keys.has(row.network));
  if (own < rows.length * thresholds.describingShare) return null;
  const wide = sharedBy(rows, ({ wideNetwork }) => wideNetwork, thresholds.describingShare);
  const asn = sharedBy(rows, ({ asn: number }) => number, thresholds.describingShare);
  const key = wide !== 0 ? -wide : asn !== 0 ? asKey(asn) : (networks[0]?.key ?? 0);
  return { kind: 'network', key };
}
