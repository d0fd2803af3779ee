import { parse } from 'tldts';
import { hashSet, scanName } from './name-scan.ts';
import { likelyElsewhere, slipCost } from './typing-slip.ts';
import { type ComparableTarget, letterBits, type TypoTargetGroups, targetsOf, toComparable } from './typo-target.ts';
import { createWholeLabelReader } from './whole-label.ts';

/** The contents of `data/typo-targets.json`. */
export interface TypoTargets extends TypoTargetGroups {
  /** Real top-level domains that are read as a slip of another one after a brand's name: `co` for `com`. */
  readonly suffixSlips: Readonly<Record<string, string>>;
  /** Slips that are more than a single edit. */
  readonly corrections: Readonly<Record<string, string>>;
  /** Real domains close to a target. */
  readonly never: readonly string[];
  /** Words that are not slips under any suffix: `love.fr` is not `live.fr`. */
  readonly neverLabels: readonly string[];
}

/** The cost of anything that is not a slip. */
const never = Number.POSITIVE_INFINITY;

/** A suffix compared with one target's suffix. */
interface Reading {
  readonly entry: ComparableTarget;
  readonly suffixCost: number;
  /** How wrong the label may be beside this suffix. */
  readonly labelLimit: number;
}

/** The targets a label of one length may be meant for, with their letters side by side for a quick first pass. */
interface Candidates {
  readonly readings: readonly Reading[];
  readonly letters: Int32Array;
  readonly mayDiffer: Uint8Array;
}

/** RFC 1035, section 2.3.4. */
const longestName = 253;
/** Cached readings of suffixes; made-up suffixes must not fill the memory. */
const keptSuffixes = 1000;

/**
 * The well-known domain that a name (ASCII, lower case) looks like a misspelling of; null when there is none. With `onlyCertain`,
 * one that is not a coincidence: a brand, or an exact name with other dots, scripts or labels around it.
 */
export type Suggest = (name: string, onlyCertain?: boolean) => string | null;

/**
 * Prepares the targets. The function knows no lists: the caller asks only about names that are not known mail or popular
 * domains.
 *
 * A deletion index would cost a hash probe per pair of letters; over some hundred targets, comparing the sets of
 * letters as bit masks leaves one or two candidates for a fraction of that.
 */
export function createSuggester(data: TypoTargets): Suggest {
  const fixedAnswers = new Map<string, string | null>(Object.entries(data.corrections));
  for (const name of data.never) fixedAnswers.set(name, null);
  const targets = targetsOf(data);
  for (const { domain } of targets) fixedAnswers.set(domain, null);
  const neverLabels = new Set(data.neverLabels);
  const slips = new Map(Object.entries(data.suffixSlips));
  const entries = targets.map(toComparable);
  const entriesBySuffix = Map.groupBy(entries, (entry) => entry.suffix);
  const longestLabel = Math.max(...entries.map((entry) => entry.label.length)) + 2;
  const longestSuffix = Math.max(...entries.map((entry) => entry.suffix.length)) + 1;
  // By the hash of the suffix: a lookup then makes no text of it.
  const bySuffix = new Map<number, { readonly suffix: string; readonly byLength: readonly Candidates[] }>();
  const mayBeFixed = hashSet(fixedAnswers.keys());
  const readWholeLabel = createWholeLabelReader(targets.map(({ domain }) => domain));
  return (name, onlyCertain = false) => {
    if (name.length > longestName) return null;
    const scan = scanName(name);
    if (mayBeFixed(scan.hash)) {
      const answer = fixedAnswers.get(name);
      if (answer !== undefined) return answer;
    }
    const whole = readWholeLabel(name, scan);
    if (whole !== null) return whole;
    const { dot, suffixHash, letters } = scan;
    const suffixLength = name.length - dot - 1;
    if (dot < 0 || dot > longestLabel || suffixLength > longestSuffix) return null;
    let kept = bySuffix.get(suffixHash);
    if (kept?.suffix.length !== suffixLength || !name.endsWith(kept.suffix)) {
      const suffix = name.slice(dot + 1);
      kept = { suffix, byLength: candidatesByLength(readSuffix(suffix, entriesBySuffix, slips)) };
      if (bySuffix.size >= keptSuffixes) bySuffix.clear();
      bySuffix.set(suffixHash, kept);
    }
    const candidates = kept.byLength[dot];
    if (candidates === undefined) return null;
    const found = closest(name, dot, letters, candidates);
    if (found === null || (onlyCertain && found.brand !== true)) return null;
    return neverLabels.has(name.slice(0, dot)) ? null : found.domain;
  };
}

function closest(name: string, dot: number, typed: number, candidates: Candidates): ComparableTarget | null {
  const { readings, letters, mayDiffer } = candidates;
  let label: string | null = null;
  let best: ComparableTarget | null = null;
  let bestCost = never;
  // Plain counting: this loop runs for every unknown name, and an iterator would cost more than its work.
  for (let index = 0; index < letters.length; index += 1) {
    if (bitCount(typed ^ (letters[index] as number)) > (mayDiffer[index] as number)) continue;
    const reading = readings[index] as Reading;
    const { entry } = reading;
    label ??= name.slice(0, dot);
    const cost = labelCost(label, typed, reading) + reading.suffixCost;
    if (cost < bestCost || (cost === bestCost && best !== null && entry.weight > best.weight)) {
      best = entry;
      bestCost = cost;
    }
  }
  return best;
}

function labelCost(label: string, typed: number, { entry, suffixCost, labelLimit }: Reading): number {
  if (label === entry.label) return 0;
  const { limits } = entry;
  if (limits.slips === 0 || labelLimit === 0) return never;
  const mayHaveTwo = limits.slips === 2 && label.length >= limits.shortestForTwo;
  if (!mayHaveTwo && label.length < limits.shortestForOne) return never;
  if (limits.onlyIf !== undefined && !isTelling(label, typed, entry)) return never;
  let cost = slipCost(label, entry.label, 1);
  if (cost === never && mayHaveTwo) cost = slipCost(label, entry.label, 2);
  if (cost > limits.cost || cost > labelLimit) return never;
  // `ymobile.ne.jp` belongs to the same company as `y-mobile.ne.jp`.
  if (entry.national === true && label.length < entry.label.length && isWithoutHyphen(label, entry.label)) return never;
  // The first letter is the one people get right: alone it may be missed, swapped or hit beside. `esky.com` is a name itself.
  const firstIsWrong = label.charCodeAt(0) !== entry.label.charCodeAt(0);
  const isPrefixed = limits.onlyIf !== undefined && label.length > entry.label.length;
  return firstIsWrong && (cost > likelyElsewhere || suffixCost > 0 || isPrefixed) ? never : cost;
}

/** Whether a short label that is one slip away is hardly a name itself. */
function isTelling(label: string, typed: number, { label: meant, letters, limits }: ComparableTarget): boolean {
  if (isMixed(typed) && !isMixed(letters)) return true;
  return limits.onlyIf === 'longer' && (label.length > meant.length || typed === letters);
}

function isWithoutHyphen(label: string, meant: string): boolean {
  return meant.includes('-') && meant.replaceAll('-', '') === label;
}

/** Whether a set of letters has digits too. */
function isMixed(letters: number): boolean {
  return (letters & letterBits) !== 0 && (letters & ~letterBits) !== 0;
}

/** The targets whose suffix may have been meant. */
function readSuffix(
  suffix: string,
  entriesBySuffix: ReadonlyMap<string, readonly ComparableTarget[]>,
  slips: ReadonlyMap<string, string>,
): Reading[] {
  // Short labels such as `x.se` are public suffixes themselves, so the suffix is asked about below a long one.
  const { publicSuffix, isIcann, isPrivate } = parse(`placeholder.${suffix}`, { allowPrivateDomains: true });
  const isReal = isIcann === true || isPrivate === true;
  const readings: Reading[] = [];
  for (const [meant, entries] of entriesBySuffix) {
    if (suffix === meant) {
      for (const entry of entries) readings.push({ entry, suffixCost: 0, labelLimit: never });
    } else if (slips.get(suffix) === meant) {
      for (const entry of entries) {
        // `.co` is a choice as often as a slip, so it takes a brand; the others take a brand or the exact name.
        const exactIsEnough = suffix !== 'co' && entry.label.length >= 5;
        if (entry.brand === true) readings.push({ entry, suffixCost: 0.5, labelLimit: 1 });
        else if (exactIsEnough) readings.push({ entry, suffixCost: 0.5, labelLimit: 0 });
      }
    } else {
      const suffixCost = slipCost(suffix, meant, 1) / 2;
      // Under a real suffix the name may be real; only the exact label below `cp.uk` and the like is not.
      if (suffixCost === never || (isReal && publicSuffix === suffix)) continue;
      for (const entry of entries) readings.push({ entry, suffixCost, labelLimit: isReal ? 0 : never });
    }
  }
  return readings;
}

function candidatesByLength(readings: readonly Reading[]): Candidates[] {
  const longest = Math.max(-1, ...readings.map(({ entry }) => entry.label.length + entry.limits.slips));
  return Array.from({ length: longest + 1 }, (_, length) => {
    const near = readings.filter(({ entry }) => Math.abs(length - entry.label.length) <= entry.limits.slips);
    return {
      readings: near,
      letters: Int32Array.from(near, ({ entry }) => entry.letters),
      mayDiffer: Uint8Array.from(near, ({ entry }) => entry.limits.letters),
    };
  });
}

function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
