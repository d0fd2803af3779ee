import type { YieldWhenDue } from '../../platform/yielding.ts';
import type { Condition } from '../rules/condition.ts';
import { chanceOf } from './association.ts';
import { beamSearch, type Conjunction, type TrainingRows } from './beam-search.ts';
import { bitSetOf, count, countBoth } from './bit-set.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import type { ExampleTable } from './example-table.ts';
import type { Scales } from './sampler.ts';

/** Conditions of a rule, and the rows of the table that they match by outcome. */
export interface DerivedRule {
  readonly conditions: readonly Condition[];
  readonly bad: readonly number[];
  readonly good: readonly number[];
  /** Rows without an outcome. */
  readonly unknown: readonly number[];
}

/** The rows to derive rules from. */
export interface Examples {
  readonly table: ExampleTable;
  readonly scales: Scales;
  /** Chooses the rows that test rules; it must not depend on the signals. */
  isHeldOut(row: number): boolean;
}

/** The most rules that are returned. */
const maxRules = 5;
/** Conjunctions that are tested on the entries that were not used. */
const maxTested = 10;
/** The probability that any of them passes by chance. */
const falseAlarms = 0.01;
/** Fewer bad entries are no reason for a rule. */
const minBad = 5;
/** Bad entries that a rule must match for each good one. */
const badPerGood = 2;
/** The share of bad entries among everything that a rule matches, entries without an outcome counted as good. */
const minBadShare = 1 / 3;
/** The same share as a multiple of the one among all entries, and the share that is always enough. */
const minLift = 4;
const enoughBadShare = 0.9;
/** The share of entries that are not bad which a rule, and all rules together, may match. */
const maxOthersShare = 0.015;
const maxOthersTogether = 0.02;
/** Two rules whose matches agree to this part are one. */
const equivalence = 0.8;

/** Derives rules from about half of the entries, and returns those that hold on the others. Entries without an outcome count as good. */
export async function deriveRules(examples: Examples, yieldWhenDue: YieldWhenDue): Promise<DerivedRule[]> {
  const { table, isHeldOut } = examples;
  const { bad, good, none } = table.rows;
  const others = [...good, ...none];
  const isUsed = (row: number): boolean => !isHeldOut(row);
  const heldOut: TrainingRows = { bad: bad.filter(isHeldOut), good: others.filter(isHeldOut) };
  const training: TrainingRows = { bad: bad.filter(isUsed), good: others.filter(isUsed) };
  const fewest = Math.max(3, Math.ceil(training.bad.length / 20));
  const candidates: Candidate[] = [];
  for (const column of table.columns) {
    candidates.push(...candidatesOf(column, training.bad, fewest));
    const turn = yieldWhenDue();
    if (turn !== null) await turn;
  }
  const found = await beamSearch(candidates, training, fewest, yieldWhenDue);
  const derived: DerivedRule[] = [];
  for (const { candidates: conditions } of distinct(found.filter(isPromising(training)))) {
    const needed = simplified(conditions, heldOut);
    if (holdsOn(needed, heldOut)) {
      const all = rowsOf(table, needed);
      if (isWorthwhile(all, examples)) derived.push(all);
    }
    const turn = yieldWhenDue();
    if (turn !== null) await turn;
  }
  return complementary(derived, examples);
}

/** Whether a conjunction may become a rule, by the entries it was derived from. */
const isPromising =
  ({ bad: allBad, good: allOthers }: TrainingRows) =>
  ({ bad, good: others }: Conjunction): boolean =>
    bad * allOthers.length > others * allBad.length && others <= 2 * maxOthersTogether * allOthers.length;

/** Whether a rule stops enough bad entries for everything else that it would stop. */
function isWorthwhile({ bad, good, unknown }: DerivedRule, examples: Examples): boolean {
  if (bad.length < minBad || bad.length < badPerGood * good.length) return false;
  const { rows } = examples.table;
  const { scales } = examples;
  const allOthers = othersOf(rows.good.length, rows.none.length, scales);
  const allBad = rows.bad.length * scales.bad;
  // A sample may have missed entries that the rule matches.
  const missed = scales.none > 1 ? 1 : 0;
  const others = othersOf(good.length, unknown.length + missed, scales);
  const share = (bad.length * scales.bad) / (bad.length * scales.bad + others);
  const usualShare = allBad / (allBad + allOthers);
  return (
    share >= minBadShare &&
    share >= Math.min(minLift * usualShare, enoughBadShare) &&
    others <= maxOthersShare * allOthers
  );
}

/** The number of entries, without bad ones, that sampled rows represent. */
const othersOf = (good: number, none: number, scales: Scales): number => good * scales.good + none * scales.none;

/** The best conjunctions of which no two match the same entries. */
function distinct(found: readonly Conjunction[]): Conjunction[] {
  const kept: Conjunction[] = [];
  for (const one of found) {
    if (kept.some((other) => areEquivalent(one, other))) continue;
    if (kept.push(one) === maxTested) break;
  }
  return kept;
}

function areEquivalent(one: Conjunction, other: Conjunction): boolean {
  const shared = countBoth(one.badBits, other.badBits) + countBoth(one.goodBits, other.goodBits);
  return shared >= equivalence * (one.bad + one.good + other.bad + other.good - shared);
}

/** The conditions without those that only fitted the entries they were derived from. */
function simplified(candidates: readonly Candidate[], rows: TrainingRows): readonly Candidate[] {
  let kept = candidates;
  for (const one of candidates) {
    const fewer = kept.filter((other) => other !== one);
    if (fewer.length > 0 && gain(matchedOf(fewer, rows)) >= gain(matchedOf(kept, rows))) kept = fewer;
  }
  return kept;
}

const gain = ({ bad, good }: { readonly bad: number; readonly good: number }): number => bad - badPerGood * good;

function matchedOf(candidates: readonly Candidate[], rows: TrainingRows): { bad: number; good: number } {
  const matched = (all: readonly number[]): number => count(bitSetOf(all, holdsAll(candidates)));
  return { bad: matched(rows.bad), good: matched(rows.good) };
}

function holdsOn(candidates: readonly Candidate[], rows: TrainingRows): boolean {
  const { bad, good } = matchedOf(candidates, rows);
  if (bad * rows.good.length <= good * rows.bad.length) return false;
  return chanceOf({ bad, good, allBad: rows.bad.length, allGood: rows.good.length }) < falseAlarms / maxTested;
}

const holdsAll =
  (candidates: readonly Candidate[]) =>
  (row: number): boolean =>
    candidates.every(({ holds }) => holds(row));

function rowsOf({ rows }: ExampleTable, candidates: readonly Candidate[]): DerivedRule {
  const holds = holdsAll(candidates);
  return {
    conditions: candidates.map(({ condition }) => condition),
    bad: rows.bad.filter(holds),
    good: rows.good.filter(holds),
    unknown: rows.none.filter(holds),
  };
}

/** The best rules first, without those that stop hardly any bad entry that the ones before do not, or too much else together. */
function complementary(derived: readonly DerivedRule[], { table: { rows }, scales }: Examples): DerivedRule[] {
  const gainOf = ({ bad, good }: DerivedRule): number => gain({ bad: bad.length, good: good.length });
  const maxOthers = maxOthersTogether * othersOf(rows.good.length, rows.none.length, scales);
  const kept: DerivedRule[] = [];
  const stopped = new Set<number>();
  const touched = { good: new Set<number>(), unknown: new Set<number>() };
  for (const rule of derived.toSorted((one, other) => gainOf(other) - gainOf(one))) {
    const more = rule.bad.filter((row) => !stopped.has(row)).length;
    if (more < Math.max(3, rule.bad.length / 4)) continue;
    const good = touched.good.union(new Set(rule.good));
    const unknown = touched.unknown.union(new Set(rule.unknown));
    if (kept.length > 0 && othersOf(good.size, unknown.size, scales) > maxOthers) continue;
    Object.assign(touched, { good, unknown });
    for (const row of rule.bad) stopped.add(row);
    if (kept.push(rule) === maxRules) break;
  }
  return kept;
}
