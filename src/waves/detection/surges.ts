import type { YieldWhenDue } from '../../platform/yielding.ts';
import { linkOf } from '../links.ts';
import type { WaveSettings } from '../wave.ts';
import type { WaveKind } from '../wave-kind.ts';
import { hasDistinct } from './distinct.ts';
import type { History, Rate } from './history.ts';
import { type DetectedKind, detectedKinds, silencedFrom } from './kinds.ts';
import { neededOf, neededToContinue, type Window, windowOf } from './needed.ts';
import type { ObservedRow } from './observed-row.ts';
import { riseOf } from './rise.ts';
import { thresholds } from './thresholds.ts';
import { countMembers, groupValues, type ValueGroup } from './value-groups.ts';

/** An environment at a moment, for the detection. */
export interface Circumstances {
  readonly settings: WaveSettings;
  /** Since the environment's first decision. */
  readonly knownMs: number;
  readonly history: History;
  /** Values that were judged fine, as links. */
  readonly silent: ReadonlySet<string>;
  /** Values of open slow waves, as links. */
  readonly continued: ReadonlySet<string>;
  readonly nowMs: number;
}

/** A value whose count in a window is far beyond the count expected now. */
export interface Surge {
  readonly kind: WaveKind;
  readonly key: number;
  readonly detected: DetectedKind;
  readonly rows: readonly ObservedRow[];
  /** The number of distinct members, and the threshold. */
  readonly count: number;
  readonly needed: number;
  /** From this moment on, its count is too small unless another member arrives. */
  readonly untilMs: number;
  readonly usualPerHour: number;
}

/** Groups between two readings of the clock. */
const groupsPerStep = 16;

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
  const hours = isDay ? windowMs / thresholds.windowMs : history.profileAt(hour);
  const rises = riseOf(rows, history, hours);
  const isContinued = isDay && circumstances.continued.size > 0;
  const minRows = Math.ceil(settings.minAddresses * (isContinued ? thresholds.continuedShare : 1));
  const isFirstDay = circumstances.knownMs < thresholds.firstMs;
  const common = { isDay, isFirstDay, hours, settings, history };
  const surges: Surge[] = [];
  for (const [measure, detected] of detectedKinds.entries()) {
    if (circumstances.knownMs < detected.knownMs) continue;
    const keyOf = judgedKey(measure, detected, circumstances.silent);
    const { groups, peers } = await groupValues(rows, keyOf, minRows, yieldWhenDue);
    const rates: (Rate | null)[] = [];
    for (const { key } of groups) {
      const turn = rates.length % groupsPerStep === 0 ? yieldWhenDue() : null;
      if (turn !== null) await turn;
      rates.push(isFirstDay ? null : history.rateOf(measure, key, hour));
    }
    const rise = detected.kind === 'network' ? rises.networks : rises.domains;
    const window = windowOf({ ...common, measure, detected, rise, peers }, groups, rates);
    for (const [index, group] of groups.entries()) {
      const turn = index % groupsPerStep === 0 ? yieldWhenDue() : null;
      if (turn !== null) await turn;
      const surge = surgeOf(group, rates[index] ?? null, window, circumstances);
      if (surge !== null) surges.push(surge);
    }
  }
  return surges;
}

/** A decision with a value judged fine counts for no wider value. */
function judgedKey(
  measure: number,
  { keyOf }: DetectedKind,
  silent: ReadonlySet<string>,
): (row: ObservedRow) => number {
  if (silent.size === 0) return keyOf;
  return (row) => (silencedFrom(row, silent) < measure ? 0 : keyOf(row));
}

/** Null for a value that does not surge, was judged fine, or is described by another kind. */
function surgeOf(group: ValueGroup, rate: Rate | null, window: Window, circumstances: Circumstances): Surge | null {
  const { detected } = window;
  const { kind, minDomains, minNetworks } = detected;
  const { key, rows } = group;
  if (circumstances.silent.has(linkOf(kind, key))) return null;
  if (minDomains > 1 && !hasDistinct(rows, ({ domain }) => domain, minDomains)) return null;
  if (minNetworks > 0 && !hasDistinct(rows, ({ network }) => network, minNetworks)) return null;
  const isOpen = window.isDay && circumstances.continued.has(linkOf(kind, key));
  if (rows.length < circumstances.settings.minAddresses && !isOpen) return null;
  const needed = isOpen ? neededToContinue(rate, rows.length, window) : neededOf(rate, rows.length, window);
  const count = rows.length < needed ? 0 : countMembers(rows, detected);
  if (count < needed) return null;
  const untilMs = thresholdTime(rows, detected, needed) + (window.isDay ? thresholds.slowMs : thresholds.windowMs);
  return { kind, key, detected, rows, count, needed, untilMs, usualPerHour: rate?.average ?? 0 };
}

/** When the latest `needed` members were last seen: the value has that many until the oldest of them leaves the window. */
function thresholdTime(rows: readonly ObservedRow[], { memberOf }: DetectedKind, needed: number): number {
  const members = new Set<number>();
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rows[index] as ObservedRow;
    if (members.add(memberOf(row)).size === needed) return row.atMs;
  }
  return 0;
}
