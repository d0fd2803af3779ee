import type { YieldWhenDue } from '../../platform/yielding.ts';
import { linkOf } from '../links.ts';
import type { WaveSettings } from '../wave.ts';
import { type WaveKind, waveKinds } from '../wave-kind.ts';
import { countBeyond } from './chance.ts';
import type { History } from './history.ts';
import { type DetectedKind, detectedKinds } from './kinds.ts';
import type { ObservedRow } from './observed-row.ts';
import { riseOf } from './rise.ts';
import { thresholds } from './thresholds.ts';
import { countMembers, groupValues, type PeerCounts, trimmedMeanOf, type ValueGroup } from './value-groups.ts';

/** What the detection knows about an environment at a moment. */
export interface Circumstances {
  readonly settings: WaveSettings;
  /** Since the environment's first decision. */
  readonly knownMs: number;
  readonly history: History;
  /** Values that were judged fine, as links. */
  readonly silent: ReadonlySet<string>;
  readonly nowMs: number;
}

/** A value whose count in a window is far beyond what is expected now. */
export interface Surge {
  readonly kind: WaveKind;
  readonly key: number;
  readonly detected: DetectedKind;
  readonly rows: readonly ObservedRow[];
  /** Distinct members, and how many make a wave. */
  readonly count: number;
  readonly needed: number;
  /** Without another member, its count is too small from this moment on. */
  readonly untilMs: number;
  readonly usualPerHour: number;
}

const hoursPerMonth = 720;

/** The surges of a window that ends now. */
export async function findSurges(
  rows: readonly ObservedRow[],
  windowMs: number,
  circumstances: Circumstances,
  yieldWhenDue: YieldWhenDue,
): Promise<Surge[]> {
  const { settings, history, nowMs } = circumstances;
  const hour = Math.floor((nowMs - thresholds.windowMs / 2) / thresholds.windowMs);
  const isDay = windowMs > thresholds.windowMs;
  const rises = riseOf(rows, history, isDay ? windowMs / thresholds.windowMs : history.profileAt(hour));
  const isFirstDay = circumstances.knownMs < thresholds.firstMs;
  const surges: Surge[] = [];
  for (const [measure, detected] of detectedKinds.entries()) {
    if (circumstances.knownMs < detected.knownMs) continue;
    const keyOf = heardKey(detected, circumstances.silent);
    const { groups, peers } = await groupValues(rows, keyOf, settings.minAddresses, yieldWhenDue);
    const rates = groups.map(({ key }) => (isFirstDay ? null : history.rateOf(measure, key, hour)));
    const rise = detected.kind === 'network' ? rises.networks : rises.domains;
    const newSizes = groups.filter((_, index) => rates[index] === null).map(({ rows: own }) => own.length);
    const window: Window = { measure, detected, windowMs, rise, peers, newSizes };
    for (const [index, group] of groups.entries()) {
      const surge = surgeOf(group, rates[index] ?? null, window, circumstances);
      if (surge !== null) surges.push(surge);
    }
  }
  return surges;
}

/** A decision with a value that was judged fine counts for no wider one. */
function heardKey({ kind, keyOf }: DetectedKind, silent: ReadonlySet<string>): (row: ObservedRow) => number {
  const narrower = detectedKinds.filter(
    (other) =>
      waveKinds.indexOf(other.kind) < waveKinds.indexOf(kind) &&
      [...silent].some((link) => link.startsWith(`${other.kind}:`)),
  );
  if (narrower.length === 0) return keyOf;
  return (row) => (narrower.some((other) => silent.has(linkOf(other.kind, other.keyOf(row)))) ? 0 : keyOf(row));
}

interface Window {
  readonly measure: number;
  readonly detected: DetectedKind;
  readonly windowMs: number;
  readonly rise: number;
  readonly peers: PeerCounts;
  /** The rows of each group whose value has no rate. */
  readonly newSizes: readonly number[];
}

type Rate = ReturnType<History['rateOf']>;

/** Null for a value that does not surge, was judged fine, or is described by another kind. */
function surgeOf(group: ValueGroup, rate: Rate, window: Window, circumstances: Circumstances): Surge | null {
  const { detected, measure, windowMs, peers } = window;
  const { kind, minDomains, minNetworks } = detected;
  const { key, rows } = group;
  if (circumstances.silent.has(linkOf(kind, key))) return null;
  if (minDomains > 1 && new Set(rows.map(({ domain }) => domain)).size < minDomains) return null;
  if (minNetworks > 0 && new Set(rows.map(({ network }) => network)).size < minNetworks) return null;
  const { history, settings } = circumstances;
  const windows = (hoursPerMonth * thresholds.windowMs) / windowMs;
  const bound = thresholds.falseWavesPerMonth / windows / Math.max(thresholds.minCompared, peers.values);
  const needed =
    rate === null
      ? neededByPeers(group, window, circumstances, bound)
      : neededByRate((windowMs > thresholds.windowMs ? rate.average * 24 : rate.now) * window.rise);
  function neededByRate(mean: number): number {
    const variance = mean + history.dispersionOf(measure) * mean * mean;
    const least = Math.max(settings.minAddresses, Math.ceil(settings.factor * mean));
    return countBeyond({ mean, variance }, bound, least);
  }
  const count = rows.length < needed ? 0 : countMembers(rows, detected);
  if (count < needed) return null;
  const untilMs = thresholdTime(rows, detected, needed) + windowMs;
  return { kind, key, detected, rows, count, needed, untilMs, usualPerHour: rate?.average ?? 0 };
}

/** When the last so many members were seen first: the value has as many until the oldest of them leaves the window. */
function thresholdTime(rows: readonly ObservedRow[], { memberOf }: DetectedKind, needed: number): number {
  const lastSeen = new Map<number, number>();
  for (const row of rows) lastSeen.set(memberOf(row), Math.max(row.atMs, lastSeen.get(memberOf(row)) ?? 0));
  const latest = Float64Array.from(lastSeen.values()).sort();
  return latest[latest.length - needed] ?? 0;
}

/** What a value needs that has no rate: far more than the other values of the window, and than new values had in the week before. */
function neededByPeers(group: ValueGroup, window: Window, circumstances: Circumstances, bound: number): number {
  const { peers, measure, windowMs } = window;
  const { history, settings } = circumstances;
  const { mean: priorMean, meanSquare, weight } = thresholds.newValue;
  const before = history.firstExcess(measure, windowMs > thresholds.windowMs);
  let values = weight + before.values;
  let sum = weight * priorMean + before.sum;
  let squares = weight * meanSquare + before.squares;
  const add = (number: number, excess: number): void => {
    values += number;
    sum += number * excess;
    squares += number * excess * excess;
  };
  for (const [count, number] of peers.small.entries()) if (count > 0) add(number, count - 1);
  // Others that are as large show that large values are no attacks; a few may be attacks themselves.
  const others = window.newSizes.toSorted((one, other) => one - other);
  others.splice(others.indexOf(group.rows.length), 1);
  for (const rows of others.slice(0, -thresholds.otherAttacks)) add(1, rows - 1);
  const mean = sum / values;
  const variance = squares / values - mean * mean;
  const least = Math.max(settings.minAddresses, Math.ceil(settings.factor * trimmedMeanOf(peers, group.rows.length)));
  return countBeyond({ mean, variance }, bound, least - 1) + 1;
}
