import { firstIdAt } from '../../ulid.ts';
import { hourMs } from '../decisions/decision-counts.ts';
import { type CountOutcomes, type OutcomeTotals, type Tally, totalOutcomes } from '../decisions/outcome-totals.ts';
import type { RuleTotal, StatsStore } from '../decisions/stats-store.ts';
import type { Gate } from '../gate.ts';
import type { StatsQuery } from './stats-query.ts';

/** A gate's decisions in one span of time, counted by action. */
export interface StatsBucket {
  readonly atMs: number;
  allow: number;
  block: number;
  challenge: number;
}

/** How often a rule matched, and how many of its decisions have each outcome. */
export type RuleStats = RuleTotal & Tally;

/** The counts of a gate. */
export interface Stats {
  readonly actions: { allow: number; block: number; challenge: number };
  /** The gate's rules in order, then rules that are gone and have counts. */
  readonly rules: readonly RuleStats[];
  readonly outcomes: OutcomeTotals['actions'];
  /** Every bucket of the span, in order, also where nothing was decided. */
  readonly buckets: readonly StatsBucket[];
}

/** Reads the counts of a gate. */
export async function readStats(
  store: StatsStore,
  outcomesStore: CountOutcomes,
  gate: Gate,
  query: StatsQuery,
): Promise<Stats> {
  const { fromMs, toMs, bucketMs } = query;
  const [counts, totals, outcomes] = await Promise.all([
    store.actions([gate.id], fromMs, toMs, bucketMs),
    store.rules(gate.id, fromMs, toMs),
    // Whole hours, as everything else is counted.
    totalOutcomes(outcomesStore, [gate.id], {
      from: firstIdAt(fromMs),
      before: firstIdAt(Math.ceil(toMs / hourMs) * hourMs),
    }),
  ]);
  const actions = { allow: 0, block: 0, challenge: 0 };
  const buckets = new Map<number, StatsBucket>();
  for (let atMs = fromMs - (fromMs % bucketMs); atMs < toMs; atMs += bucketMs) {
    buckets.set(atMs, { atMs, allow: 0, block: 0, challenge: 0 });
  }
  for (const { atMs, action, decisions } of counts) {
    actions[action] += decisions;
    const bucket = buckets.get(atMs);
    if (bucket !== undefined) bucket[action] += decisions;
  }
  const rules = ruleTotals(gate, totals).map((total) => ({
    ...total,
    ...(outcomes.rules.get(total.ruleId) ?? { good: 0, bad: 0 }),
  }));
  return { actions, rules, outcomes: outcomes.actions, buckets: [...buckets.values()] };
}

function ruleTotals(gate: Gate, totals: readonly RuleTotal[]): RuleTotal[] {
  const byId = new Map(totals.map((total) => [total.ruleId, total]));
  const present = gate.rules.map(({ id, name }) => ({
    ruleId: id,
    name,
    matches: byId.get(id)?.matches ?? 0,
    shadowMatches: byId.get(id)?.shadowMatches ?? 0,
  }));
  const ids = new Set(gate.rules.map(({ id }) => id));
  return [...present, ...totals.filter(({ ruleId }) => !ids.has(ruleId))];
}
