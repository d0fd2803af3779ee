import { yieldToEventLoop } from '../../platform/yielding.ts';
import type { Action } from '../rules/action.ts';
import type { DecisionSpan, OutcomeCount, OutcomesStore } from './outcomes-store.ts';

/** The number of decisions with each outcome. */
export interface Tally {
  good: number;
  bad: number;
}

/** The outcomes of decisions by their action, and by every rule that matched them. */
export interface OutcomeTotals {
  readonly actions: Readonly<Record<Action, Tally>>;
  readonly rules: ReadonlyMap<string, Tally>;
}

/** Counts outcomes in the database. */
export type CountOutcomes = Pick<OutcomesStore, 'count' | 'countTogether'>;

const nothing = (): Tally => ({ good: 0, bad: 0 });

/** Counts the outcomes of gates in a span. A million are counted in steps; requests are served in between. */
export async function totalOutcomes(
  store: CountOutcomes,
  gateIds: readonly string[],
  span: DecisionSpan,
): Promise<OutcomeTotals> {
  const actions = { allow: nothing(), block: nothing(), challenge: nothing() };
  const rules = new Map<string, Tally>();
  for await (const { outcome, action, ruleIds, decisions } of countsOf(store, gateIds, span)) {
    actions[action as Action][outcome] += decisions;
    for (const ruleId of ruleIds) {
      const rule = rules.get(ruleId) ?? nothing();
      rule[outcome] += decisions;
      rules.set(ruleId, rule);
    }
  }
  return { actions, rules };
}

/** Several gates in one statement, or one after the other where they have too many outcomes for that. */
async function* countsOf(
  store: CountOutcomes,
  gateIds: readonly string[],
  { from, before }: DecisionSpan,
): AsyncGenerator<OutcomeCount> {
  const together = gateIds.length > 1 ? await store.countTogether(gateIds, { from, before }) : null;
  if (together !== null) return yield* together;
  for (const gateId of gateIds) {
    for (let next: string | null = from; next !== null; ) {
      const page: Awaited<ReturnType<OutcomesStore['count']>> = await store.count(gateId, { from: next, before });
      yield* page.counts;
      next = page.next;
      if (next !== null) await yieldToEventLoop();
    }
  }
}
