import { yieldToEventLoop } from '../../platform/yielding.ts';
import type { Action } from '../rules/action.ts';
import type { DecisionSpan, OutcomesStore } from './outcomes-store.ts';

/** How many decisions have each outcome. */
export interface Tally {
  good: number;
  bad: number;
}

/** The outcomes of decisions by their action, and by every rule that matched them. */
export interface OutcomeTotals {
  readonly actions: Readonly<Record<Action, Tally>>;
  readonly rules: ReadonlyMap<string, Tally>;
}

const nothing = (): Tally => ({ good: 0, bad: 0 });

/** Counts the outcomes of gates in a span. A million are counted in steps; requests are served in between. */
export async function totalOutcomes(
  store: Pick<OutcomesStore, 'count'>,
  gateIds: readonly string[],
  span: DecisionSpan,
): Promise<OutcomeTotals> {
  const actions = { allow: nothing(), block: nothing(), challenge: nothing() };
  const rules = new Map<string, Tally>();
  for (const gateId of gateIds) {
    let from: string | null = span.from;
    while (from !== null) {
      const { counts, next } = await store.count(gateId, { from, before: span.before });
      for (const { outcome, action, ruleIds, decisions } of counts) {
        actions[action as Action][outcome] += decisions;
        for (const ruleId of ruleIds) {
          const rule = rules.get(ruleId) ?? nothing();
          rule[outcome] += decisions;
          rules.set(ruleId, rule);
        }
      }
      from = next;
      if (from !== null) await yieldToEventLoop();
    }
  }
  return { actions, rules };
}
