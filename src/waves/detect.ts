import type { YieldWhenDue } from '../platform/yielding.ts';
import { countOf, domainsOf, type Group, groupRows, isMostlyEstablished, sharedKey } from './groups.ts';
import type { ObservedRow } from './observed-row.ts';
import { thresholds } from './thresholds.ts';
import { type WaveKind, type WaveSettings, waveKinds } from './wave.ts';

/** What is usual in an environment, per hour. */
export interface Usual {
  /** Addresses of a value. */
  readonly of: (kind: WaveKind, key: number) => number;
  /** All addresses, and those at domains that are neither public nor established. */
  readonly total: number;
  readonly shaped: number;
  /** All addresses of the last 24 of these hours together. */
  readonly lastDay: number;
  /** The hours that these are averages of. */
  readonly hours: number;
}

/** What the detection knows about an environment. */
export interface Circumstances {
  readonly settings: WaveSettings;
  /** Since the environment's first decision. */
  readonly knownMs: number;
  readonly usual: Usual;
  readonly isSilent: (kind: WaveKind, key: number) => boolean;
}

/** A value that many addresses share, and the other values of the same attack. */
export interface Attack {
  readonly kind: WaveKind;
  readonly key: number;
  readonly rows: readonly ObservedRow[];
  readonly usualPerHour: number;
  readonly bySpellings: boolean;
  /** The value and everything that links it to the same attack: `kind:key`. */
  readonly links: ReadonlySet<string>;
  readonly isSilent: boolean;
  /** Its addresses arrived within a day, not within the hour. */
  readonly isSlow: boolean;
}

export const linkOf = (kind: WaveKind, key: number): string => `${kind}:${key}`;

interface Candidate {
  readonly group: Group;
  readonly usual: number;
  readonly needed: number;
  readonly isSilent: boolean;
  readonly isSlow: boolean;
}

/** The values with which usual rates are compared: those with enough addresses, whatever is usual. */
export async function comparedValues(
  rows: readonly ObservedRow[],
  { minAddresses }: WaveSettings,
  yieldWhenDue: YieldWhenDue,
): Promise<readonly Group[]> {
  const groups = await groupRows(rows, yieldWhenDue);
  return groups.filter(
    (group) => (group.rows.length >= minAddresses && countOf(group) >= minAddresses) || slowCount(group) > 0,
  );
}

/** Groups of decisions of the last hour that arrived together, the most telling first; each row is in one. */
export async function detectAttacks(
  rows: readonly ObservedRow[],
  compared: readonly Group[],
  circumstances: Circumstances,
  yieldWhenDue: YieldWhenDue,
): Promise<Attack[]> {
  const all = addressesOf(rows);
  const shaped = addressesOf(rows.filter((row) => row.key('shape') !== 0));
  const candidates = compared
    .map((group) => toCandidate(group, all, shaped, circumstances))
    .filter((candidate): candidate is Candidate => candidate !== null);
  return merged(await cover(candidates, yieldWhenDue));
}

function addressesOf(rows: readonly ObservedRow[]): number {
  return new Set(rows.map(({ address }) => address)).size;
}

/** Null for a group that is not a wave. */
function toCandidate(group: Group, all: number, shaped: number, circumstances: Circumstances): Candidate | null {
  const { settings, usual, isSilent } = circumstances;
  const { kind, key } = group;
  const count = countOf(group);
  const usualPerHour = usual.of(kind, key);
  const needed = neededBy(group, usualPerHour, all, circumstances);
  const isSlow =
    circumstances.knownMs >= thresholds.slowKnownMs &&
    slowCount(group) >= slowNeededBy(group, usualPerHour, all, circumstances);
  if (count < needed && !isSlow) return null;
  const { establishedShare, establishedErrors } = thresholds;
  if (kind === 'network' && isMostlyEstablished(group, establishedShare, establishedErrors)) return null;
  if (kind === 'shape' && count / shaped < settings.factor * usualShare(usualPerHour, usual)) return null;
  return {
    group,
    usual: usualPerHour,
    needed: isSlow ? 1 : needed,
    isSilent: isSilent(kind, key),
    isSlow: count < needed,
  };
}

/** The usual rate without the day that is compared with it; a day with far more of everything, such as an import, raises it. */
function slowNeededBy(group: Group, usualPerHour: number, all: number, circumstances: Circumstances): number {
  const { settings, knownMs, usual } = circumstances;
  const hoursBefore = Math.max(1, usual.hours - 24);
  const before = Math.max(0, usualPerHour * usual.hours - slowCount(group));
  const least = Math.max(
    thresholds.slowAddresses,
    settings.minAddresses,
    (24 * settings.factor * before) / hoursBefore,
  );
  const totalBefore = Math.max(0, usual.total * usual.hours - usual.lastDay) / hoursBefore;
  const others = Math.max(0, usual.lastDay + all - slowCount(group)) / 24;
  const ratio = others / Math.max(thresholds.slowSurgeFloor, totalBefore);
  const isSurge = knownMs >= thresholds.surgeKnownMs && ratio > settings.factor;
  return least * Math.max(isSurge ? ratio : 1, surgeOfHour(group, all, circumstances));
}

/** Addresses within a day that a slow attack may have; 0 where slow ones are not looked for. */
function slowCount({ kind, rows }: Group): number {
  const last = rows.at(-1);
  if (last === undefined) return 0;
  const { domainDay, mailServerDay, mailServerDomainsDay } = last;
  const isOfManyDomains = kind === 'mail_server' && mailServerDomainsDay >= thresholds.mailServerDomains;
  const count = kind === 'domain' ? domainDay : isOfManyDomains ? mailServerDay : 0;
  return count >= thresholds.slowAddresses ? count : 0;
}

function neededBy(group: Group, usualPerHour: number, all: number, circumstances: Circumstances): number {
  const { settings, knownMs } = circumstances;
  const isNew = group.kind === 'network' && knownMs < thresholds.newEnvironmentMs;
  const least = Math.max(settings.minAddresses, isNew ? thresholds.newEnvironmentNetwork : 0);
  return Math.max(least, settings.factor * usualPerHour) * surgeOfHour(group, all, circumstances);
}

/** How much a surge of everything else in the hour raises what a value needs; 1 without one. */
function surgeOfHour(group: Group, all: number, { settings, knownMs, usual }: Circumstances): number {
  if (knownMs < thresholds.surgeKnownMs) return 1;
  const others = Math.max(0, all - group.addresses.size);
  return Math.max(1, others / Math.max(thresholds.surgeFloor, usual.total) / settings.factor);
}

/** The share of a shape among addresses at domains that are neither public nor established. */
function usualShare(usualPerHour: number, { shaped, hours }: Usual): number {
  const { seen, among } = thresholds.shapePrior;
  return (usualPerHour * hours + seen) / (shaped * hours + among);
}

/** A group and those whose rows it has. */
interface Covered {
  readonly candidate: Candidate;
  readonly rows: ObservedRow[];
  readonly links: Set<string>;
}

/** Chooses the most telling group, removes its rows, and continues while another has enough left. */
async function cover(candidates: readonly Candidate[], yieldWhenDue: YieldWhenDue): Promise<Covered[]> {
  const taken = new Map<ObservedRow, Covered>();
  const chosen: Covered[] = [];
  const left = new Set(
    candidates.toSorted((one, other) => countOf(other.group) - countOf(one.group)).slice(0, mostCandidates),
  );
  while (left.size > 0) {
    const best = await mostTelling(left, taken, yieldWhenDue);
    left.delete(best);
    const { group, needed } = best;
    const rows = group.rows.filter((row) => !taken.has(row));
    const covering = mostFrequent(group.rows.flatMap((row) => taken.get(row) ?? []));
    const isOverlapping = rows.length <= group.rows.length * (1 - thresholds.mergedShare);
    if (covering !== undefined && (isOverlapping || countOf({ kind: group.kind, ...membersOf(rows) }) < needed)) {
      if (isOverlapping) covering.links.add(linkOf(group.kind, group.key));
      continue;
    }
    const covered = { candidate: best, rows, links: new Set(linksOf(group.kind, group.key, rows)) };
    chosen.push(covered);
    for (const row of rows) taken.set(row, covered);
  }
  return chosen;
}

/** The most concurrent attacks; more would make a round long. */
const mostCandidates = 30;

const membersOf = (rows: ObservedRow[]): Pick<Group, 'rows' | 'addresses' | 'spellings'> => ({
  rows,
  addresses: new Set(rows.map(({ address }) => address)),
  spellings: new Set(rows.map(({ spelling }) => spelling)),
});

async function mostTelling(
  left: ReadonlySet<Candidate>,
  taken: ReadonlyMap<ObservedRow, Covered>,
  yieldWhenDue: YieldWhenDue,
): Promise<Candidate> {
  const weighed: { candidate: Candidate; weight: number }[] = [];
  for (const candidate of left) {
    const turn = yieldWhenDue();
    if (turn !== null) await turn;
    weighed.push({ candidate, weight: weightOf(candidate, taken) });
  }
  return weighed.reduce((best, one) => (one.weight > best.weight ? one : best)).candidate;
}

/** Silenced values take their rows first. A mail server of few domains is less telling than its domain. */
function weightOf({ group, isSilent }: Candidate, taken: ReadonlyMap<ObservedRow, Covered>): number {
  if (isSilent) return Number.POSITIVE_INFINITY;
  if (group.kind === 'mail_server' && !isWide(group)) return 0;
  const left = group.rows.reduce((count, row) => count + (taken.has(row) ? 0 : 1), 0);
  return left * thresholds.weights[group.kind];
}

function mostFrequent(all: readonly Covered[]): Covered | undefined {
  const counts = new Map<Covered, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** The value itself, and the wider values that most of its rows share. */
function linksOf(kind: WaveKind, key: number, rows: readonly ObservedRow[]): string[] {
  const wider = waveKinds.filter((other) => other !== 'domain' && other !== kind);
  const shared = wider.map((other) => ({ other, found: sharedKey(rows, other, thresholds.linkedShare) }));
  return [
    linkOf(kind, key),
    ...shared.filter(({ found }) => found !== 0).map(({ other, found }) => linkOf(other, found)),
  ];
}

/** Groups with a common link are one attack, described by the first. */
function merged(chosen: readonly Covered[]): Attack[] {
  const attacks: { candidate: Candidate; rows: ObservedRow[]; links: Set<string> }[] = [];
  for (const { candidate, rows, links } of chosen) {
    const same = attacks.find(
      (attack) => !attack.links.isDisjointFrom(links) && attack.candidate.isSilent === candidate.isSilent,
    );
    if (same === undefined) attacks.push({ candidate, rows: [...rows], links: new Set(links) });
    else {
      same.rows.push(...rows);
      for (const link of links) same.links.add(link);
    }
  }
  return attacks
    .filter(({ candidate: { group } }) => group.kind !== 'mail_server' || isWide(group))
    .map(({ candidate: { group, usual, needed, isSilent, isSlow }, rows, links }) => ({
      kind: group.kind,
      key: group.key,
      rows: rows.sort((one, other) => one.atMs - other.atMs),
      usualPerHour: usual,
      bySpellings: group.kind === 'network' && group.addresses.size < needed,
      links,
      isSilent,
      isSlow,
    }));
}

/** A slow attack has few domains in an hour. */
function isWide(group: Group): boolean {
  return domainsOf(group) >= thresholds.mailServerDomains || slowCount(group) > 0;
}
