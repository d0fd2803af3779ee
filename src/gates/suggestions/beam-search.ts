import type { YieldWhenDue } from '../../platform/yielding.ts';
import { association } from './association.ts';
import { type BitSet, bitSetOf, countBoth, intersection } from './bit-set.ts';
import type { Candidate } from './candidates.ts';

/** Conditions that all hold for the same rows, and which of the entries they were derived from they match. */
export interface Conjunction {
  readonly candidates: readonly Candidate[];
  readonly badBits: BitSet;
  readonly goodBits: BitSet;
  readonly bad: number;
  readonly good: number;
  /** The association with bad entries, less the score that meaningless conditions would reach. */
  readonly score: number;
}

/** The entries that rules are derived from. */
export interface TrainingRows {
  readonly bad: readonly number[];
  readonly good: readonly number[];
}

const beamWidth = 24;
/** Conjunctions with conditions on the same fields in one beam: otherwise thresholds of one field fill it. */
const sameFields = 3;
const maxConditions = 3;

/** Searches for conjunctions of up to three conditions that bad entries have in common, all of them by falling score. */
export async function beamSearch(
  candidates: readonly Candidate[],
  rows: TrainingRows,
  minBad: number,
  yieldWhenDue: YieldWhenDue,
): Promise<Conjunction[]> {
  // Each further condition is one of many that were tried.
  const penalty = 2 * Math.log(Math.max(2, candidates.length));
  const scoreOf = (bad: number, good: number, conditions: number): number =>
    association({ bad, good, allBad: rows.bad.length, allGood: rows.good.length }) - penalty * conditions;
  const singles: Conjunction[] = [];
  for (const candidate of candidates) {
    const [badBits, goodBits] = [bitSetOf(rows.bad, candidate.holds), bitSetOf(rows.good, candidate.holds)];
    const [bad, good] = [countBoth(badBits, badBits), countBoth(goodBits, goodBits)];
    singles.push({ candidates: [candidate], badBits, goodBits, bad, good, score: scoreOf(bad, good, 1) });
    const turn = yieldWhenDue();
    if (turn !== null) await turn;
  }
  const found: Conjunction[] = [...singles];
  let beam = widest(singles);
  for (let conditions = 2; conditions <= maxConditions; conditions += 1) {
    const extended = new Map<string, Conjunction>();
    for (const base of beam) {
      for (const single of singles) {
        const [added] = single.candidates;
        if (added === undefined || !isNew(base, added)) continue;
        const bad = countBoth(base.badBits, single.badBits);
        if (bad < minBad) continue;
        const good = countBoth(base.goodBits, single.goodBits);
        const score = scoreOf(bad, good, conditions);
        if (score <= base.score || score <= single.score) continue;
        const all = [...base.candidates, added];
        extended.set(all.map(textOf).sort().join(' '), {
          candidates: all,
          badBits: intersection(base.badBits, single.badBits),
          goodBits: intersection(base.goodBits, single.goodBits),
          bad,
          good,
          score,
        });
      }
      const turn = yieldWhenDue();
      if (turn !== null) await turn;
    }
    beam = widest([...extended.values()]);
    found.push(...beam);
  }
  return found.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
}

/** A second condition on a field must limit it from the other side. */
function isNew({ candidates }: Conjunction, { condition }: Candidate): boolean {
  return candidates.every(
    (known) => known.condition.field !== condition.field || isRange(known.condition.operator, condition.operator),
  );
}

const isRange = (one: string, other: string): boolean =>
  (one === 'greater_than_or_equal' && other === 'less_than_or_equal') ||
  (one === 'less_than_or_equal' && other === 'greater_than_or_equal');

function widest(all: readonly Conjunction[]): Conjunction[] {
  const kept: Conjunction[] = [];
  const perFields = new Map<string, number>();
  for (const one of all.toSorted((first, second) => second.score - first.score)) {
    const fields = one.candidates
      .map(({ condition }) => condition.field)
      .sort()
      .join(' ');
    const same = perFields.get(fields) ?? 0;
    if (same === sameFields) continue;
    perFields.set(fields, same + 1);
    if (kept.push(one) === beamWidth) break;
  }
  return kept;
}

const textOf = ({ condition }: Candidate): string => JSON.stringify(condition);
