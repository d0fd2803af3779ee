import type { YieldWhenDue } from '../../platform/yielding.ts';
import type { Condition } from '../rules/condition.ts';
import { chanceOf } from './association.ts';
import { beamSearch, type Conjunction, type TrainingRows } from './beam-search.ts';
import { bitSetOf, count, countBoth } from './bit-set.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import type { ExampleTable } from './example-table.ts';

/** Conditions of a rule, and the rows of the table that they match by outcome. */
export interface DerivedRule {
  readonly conditions: readonly Condition[];
  readonly bad: readonly number[];
  readonly good: readonly number[];
  /** Rows without an outcome. */
  readonly unknown: number;
}

/** The most rules that are returned. */
const mostRules = 5;
/** Entries of each outcome that rules are derived from, and tested on: more change no rule. */
const mostRows = 10_000;
/** Conjunctions that are tested on the entries that were not used. */
const mostTested = 10;
/** The probability that any of them passes by chance. */
const falseAlarms = 0.01;
/** Fewer bad entries are no reason for a rule. */
const fewestBad = 5;
/** Bad entries that a rule must match for each good one. */
const badPerGood = 2;
/** A rule must match this many times as large a part of the bad entries as of the good ones. */
const lift = 4;
/** Two rules whose matches agree to this part are one. */
const equivalence = 0.8;

/**
 * Derives rules from about half of the entries with an outcome, and returns those that hold on the others. `isHeldOut` chooses these;
 * it must not depend on the signals.
 */
export async function deriveRules(
  table: ExampleTable,
  isHeldOut: (row: number) => boolean,
  yieldWhenDue: YieldWhenDue,
): Promise<DerivedRule[]> {
  const { bad, good } = table.rows;
  const isUsed = (row: number): boolean => !isHeldOut(row);
  const some = (rows: readonly number[], isWanted: (row: number) => boolean): number[] =>
    rows.values().filter(isWanted).take(mostRows).toArray();
  const heldOut: TrainingRows = { bad: some(bad, isHeldOut), good: some(good, isHeldOut) };
  const training: TrainingRows = { bad: some(bad, isUsed), good: some(good, isUsed) };
  const fewest = Math.max(3, Math.ceil(training.bad.length / 20));
  const candidates: Candidate[] = [];
  for (const column of table.columns) {
    candidates.push(...candidatesOf(column, training.bad, fewest));
    const turn = yieldWhenDue();
    if (turn !== null) await turn;
  }
  const found = await beamSearch(candidates, training, fewest, yieldWhenDue);
  const derived: DerivedRule[] = [];
  for (const { candidates: conditions } of distinct(found.filter(isWorthwhile(training)))) {
    const needed = simplified(conditions, heldOut);
    if (!holdsOn(needed, heldOut)) continue;
    const all = rowsOf(table, needed);
    if (all.bad.length >= fewestBad && isWorthwhile(table.rows)({ bad: all.bad.length, good: all.good.length }))
      derived.push(all);
    const turn = yieldWhenDue();
    if (turn !== null) await turn;
  }
  return complementary(derived);
}

/** Whether a rule stops enough bad entries for the good ones it would stop. */
const isWorthwhile =
  ({ bad: allBad, good: allGood }: TrainingRows) =>
  ({ bad, good }: { readonly bad: number; readonly good: number }): boolean =>
    bad >= badPerGood * good && bad * allGood.length >= lift * good * allBad.length;

/** The best conjunctions of which no two match the same entries. */
function distinct(found: readonly Conjunction[]): Conjunction[] {
  const kept: Conjunction[] = [];
  for (const one of found) {
    if (kept.some((other) => areEquivalent(one, other))) continue;
    if (kept.push(one) === mostTested) break;
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
  if (bad <= good) return false;
  return chanceOf({ bad, good, allBad: rows.bad.length, allGood: rows.good.length }) < falseAlarms / mostTested;
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
    unknown: count(bitSetOf(rows.none, holds)),
  };
}

/** The best rules first, without those that stop hardly any bad entry that the ones before do not. */
function complementary(derived: readonly DerivedRule[]): DerivedRule[] {
  const gainOf = ({ bad, good }: DerivedRule): number => gain({ bad: bad.length, good: good.length });
  const kept: DerivedRule[] = [];
  const stopped = new Set<number>();
  for (const rule of derived.toSorted((one, other) => gainOf(other) - gainOf(one))) {
    const more = rule.bad.filter((row) => !stopped.has(row)).length;
    if (more < Math.max(3, rule.bad.length / 4)) continue;
    for (const row of rule.bad) stopped.add(row);
    if (kept.push(rule) === mostRules) break;
  }
  return kept;
}
