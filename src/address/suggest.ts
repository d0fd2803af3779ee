import { parse } from 'tldts';
import { slipCost } from './typing-slip.ts';
import { type ComparableTarget, lettersOf, type TypoTargetGroups, targetsOf, toComparable } from './typo-target.ts';

/** What `data/typo-targets.json` holds. */
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

/** What a suffix says about one target. */
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

/** Cached readings of suffixes; made-up suffixes must not fill the memory. */
const keptSuffixes = 1000;

/**
 * A function from a domain (ASCII, lower case) to the well-known domain it looks like a misspelling of, null when there
 * is none. It knows no lists: the caller asks only about names that are not known mail or popular domains.
 *
 * A deletion index would cost a hash probe per pair of letters; over some hundred targets, comparing the sets of
 * letters as bit masks leaves one or two candidates for a fraction of that.
 */
export function createSuggester(data: TypoTargets): (domainAscii: string) => string | null {
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
  const bySuffix = new Map<string, readonly Candidates[]>();
  return (domainAscii) => {
    const dot = domainAscii.indexOf('.');
    if (dot > longestLabel) return null;
    const answer = fixedAnswers.get(domainAscii);
    if (answer !== undefined) return answer;
    if (domainAscii.length - dot - 1 > longestSuffix) return null;
    const suffix = domainAscii.slice(dot + 1);
    let byLength = bySuffix.get(suffix);
    if (byLength === undefined) {
      byLength = candidatesByLength(readSuffix(suffix, entriesBySuffix, slips));
      if (bySuffix.size >= keptSuffixes) bySuffix.clear();
      bySuffix.set(suffix, byLength);
    }
    const candidates = byLength[dot];
    if (candidates === undefined) return null;
    const found = closest(domainAscii, dot, candidates);
    return found === null || neverLabels.has(domainAscii.slice(0, dot)) ? null : found;
  };
}

function closest(name: string, dot: number, { readings, letters, mayDiffer }: Candidates): string | null {
  const typed = lettersOf(name, dot);
  let label: string | null = null;
  let best: ComparableTarget | null = null;
  let bestCost = never;
  // Plain counting: this loop runs for every unknown name, and an iterator would cost more than its work.
  for (let index = 0; index < letters.length; index += 1) {
    if (bitCount(typed ^ (letters[index] as number)) > (mayDiffer[index] as number)) continue;
    const reading = readings[index] as Reading;
    const { entry } = reading;
    label ??= name.slice(0, dot);
    const cost = labelCost(label, reading) + reading.suffixCost;
    if (cost < bestCost || (cost === bestCost && best !== null && entry.weight > best.weight)) {
      best = entry;
      bestCost = cost;
    }
  }
  return best === null ? null : best.domain;
}

function labelCost(label: string, { entry, suffixCost, labelLimit }: Reading): number {
  if (label === entry.label) return 0;
  const { limits } = entry;
  if (limits.slips === 0 || labelLimit === 0) return never;
  const mayHaveTwo = limits.slips === 2 && label.length >= limits.shortestForTwo;
  if (!mayHaveTwo && label.length < limits.shortestForOne) return never;
  let cost = slipCost(label, entry.label, 1);
  if (cost === never && mayHaveTwo) cost = slipCost(label, entry.label, 2);
  if (cost > limits.cost || cost > labelLimit) return never;
  // The first letter is the one people get right: alone it may be missed, swapped or hit beside.
  const firstIsWrong = label.charCodeAt(0) !== entry.label.charCodeAt(0);
  return firstIsWrong && (cost > 1 || suffixCost > 0 || limits.letters === 0) ? never : cost;
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
