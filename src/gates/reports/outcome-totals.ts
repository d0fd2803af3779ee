import { yieldToEventLoop } from '../../platform/yielding.ts';
import { hourMs } from '../decisions/decision-counts.ts';
import { firstIdAt } from '../decisions/decisions-store.ts';
import type { OutcomesStore } from '../decisions/outcomes-store.ts';
import type { Action } from '../rules/action.ts';

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

/** Counts the outcomes of gates in the hours that begin in a span. A million are counted in steps; requests are served in between. */
export async function totalOutcomes(
  store: Pick<OutcomesStore, 'count'>,
  gateIds: readonly string[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<OutcomeTotals> {
  const actions = { allow: nothing(), block: nothing(), challenge: nothing() };
  const rules = new Map<string, Tally>();
  const before = firstIdAt(Math.ceil(toMs / hourMs) * hourMs);
  for (const gateId of gateIds) {
    let from: string | null = firstIdAt(fromMs);
    while (from !== null) {
      const { counts, next } = await store.count(gateId, { from, before });
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
