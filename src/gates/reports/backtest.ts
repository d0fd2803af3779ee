import { createYielder } from '../../platform/yielding.ts';
import type { DecisionsStore } from '../decisions/decisions-store.ts';
import { fromLoggedRow, type LoggedDecision } from '../decisions/logged-decision.ts';
import { scanLog } from '../decisions/scan-log.ts';
import { noBudget, type RegexBudget } from '../regex/regex-budget.ts';
import type { Action } from '../rules/action.ts';
import { compileGateInTurns, type Evaluable, type Evaluate } from '../rules/evaluate.ts';
import { type ListHandles, noLists } from '../rules/list-condition.ts';
import type { RuleDraft } from '../rules/rule.ts';
import type { BacktestRequest } from './backtest-input.ts';

/** A decision that would have been another. */
export interface BacktestExample {
  readonly logged: LoggedDecision;
  /** The logged action, or the one that the current rules decide. */
  readonly from: Action;
  readonly to: Action;
  /** The name of the proposed rule that would decide; null for the default action. */
  readonly rule: string | null;
}

/** How many decisions would change from one action to another, and how many of them have each outcome. */
interface Change {
  from: Action;
  to: Action;
  count: number;
  good: number;
  bad: number;
}

/** The decisions that proposed rules would have changed. */
export interface BacktestResult {
  readonly evaluated: number;
  /** False when decisions of the span were left out: there were too many, no time for them, or they are in a damaged part of the log. */
  readonly complete: boolean;
  readonly changed: number;
  /** The most frequent first. */
  readonly changes: readonly Readonly<Change>[];
  readonly examples: readonly BacktestExample[];
}

/** Where logged decisions come from, and how much of them is looked at. */
export interface BacktestOptions {
  readonly store: Pick<DecisionsStore, 'listOf'>;
  readonly monotonicMs: () => number;
  /** The processor time of this thread by default. */
  readonly cpuMs?: () => number;
  /** The lists of the proposed rules and of the gate's own, as they are now. */
  readonly lists?: ListHandles;
  readonly regexBudget?: RegexBudget;
}

const maxDecisions = 10_000;
const budgetMs = 2_000;
const maxExamples = { newest: 20, labelled: 100 };

/** Evaluates proposed rules over the newest logged decisions of a gate. Changes nothing. */
export async function runBacktest(
  gate: Evaluable<RuleDraft> & { readonly id: string },
  { rules, defaultAction, against, examples = 'newest', fromMs, toMs }: BacktestRequest,
  options: BacktestOptions,
): Promise<BacktestResult> {
  const { store, monotonicMs, cpuMs } = options;
  const yieldWhenDue = createYielder(monotonicMs);
  const compile = (evaluable: Evaluable<RuleDraft>): Promise<Evaluate<RuleDraft>> =>
    compileGateInTurns(evaluable, options.regexBudget ?? noBudget, yieldWhenDue, options.lists ?? noLists);
  const decide = await compile({ defaultAction: defaultAction ?? gate.defaultAction, rules });
  const decideNow = against === 'rules' ? await compile(gate) : null;
  const tally = createTally(examples);
  const span = { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) };
  const budget = { maxEntries: maxDecisions, forMs: budgetMs, monotonicMs, ...(cpuMs && { cpuMs }) };
  const scan = scanLog(store, [gate.id], span, budget);
  for await (const row of scan) {
    const logged = fromLoggedRow(row);
    const { action, matchedRule } = decide(logged.signals);
    const from = decideNow === null ? logged.action : decideNow(logged.signals).action;
    tally.add({ logged, from, to: action, rule: matchedRule?.name ?? null });
  }
  return { ...tally.result(), complete: scan.complete };
}

function createTally(wanted: keyof typeof maxExamples) {
  const counts = new Map<string, Change>();
  const examples: BacktestExample[] = [];
  let evaluated = 0;
  let changed = 0;
  return {
    add(example: BacktestExample): void {
      evaluated += 1;
      const { from, to, logged } = example;
      if (from === to) return;
      changed += 1;
      const key = `${from} ${to}`;
      const change = counts.get(key) ?? { from, to, count: 0, good: 0, bad: 0 };
      counts.set(key, change);
      change.count += 1;
      if (logged.outcome !== undefined) change[logged.outcome.outcome] += 1;
      if (wanted === 'labelled' && logged.outcome === undefined) return;
      if (examples.length < maxExamples[wanted]) examples.push(example);
    },
    result: (): Omit<BacktestResult, 'complete'> => ({
      evaluated,
      changed,
      changes: [...counts.values()].sort((one, other) => other.count - one.count),
      examples,
    }),
  };
}
