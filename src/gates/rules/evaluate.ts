import type { YieldWhenDue } from '../../platform/yielding.ts';
import { noBudget, type RegexBudget } from '../regex/regex-budget.ts';
import type { Action } from './action.ts';
import { type Check, compileCondition, holdsFor } from './compile-condition.ts';
import type { Condition } from './condition.ts';
import { createFieldValues, type FieldValues, type ValueLists } from './field-values.ts';
import { findField } from './fields.ts';
import { type ListHandles, noLists } from './list-condition.ts';
import { findOperator } from './operators.ts';
import type { RuleDraft } from './rule.ts';
import type { DecisionSignals } from './signals.ts';

/** The action of a gate, and the rules that matched. */
export interface Evaluation<R> {
  readonly action: Action;
  /** The rule that decided; null when none matched and the default action applies. */
  readonly matchedRule: R | null;
  /** The live rules that matched, in order. */
  readonly matched: readonly R[];
  /** The shadow rules that matched, in order; they never decide. */
  readonly shadowMatched: readonly R[];
}

/** The part of a gate that an evaluation needs; its rules may be unsaved and have no ids. */
export interface Evaluable<R extends RuleDraft> {
  readonly defaultAction: Action;
  readonly rules: readonly R[];
}

interface CompiledRule<R> {
  readonly rule: R;
  readonly checks: readonly Check[];
  /** One condition is enough. */
  readonly any: boolean;
  readonly live: boolean;
  readonly final: boolean;
}

/** A gate's rules as a function from signals to an evaluation. */
export type Evaluate<R> = (signals: DecisionSignals) => Evaluation<R>;

/** Compiles the rules of a gate once. */
export function compileGate<R extends RuleDraft>(
  gate: Evaluable<R>,
  budget: RegexBudget = noBudget,
  lists: ListHandles = noLists,
): Evaluate<R> {
  const steps = compileInSteps(gate, budget, lists);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** As `compileGate`, yielding in between: the values of a large gate take long to compile. */
export async function compileGateInTurns<R extends RuleDraft>(
  gate: Evaluable<R>,
  budget: RegexBudget,
  yieldWhenDue: YieldWhenDue,
  lists: ListHandles = noLists,
): Promise<Evaluate<R>> {
  const steps = compileInSteps(gate, budget, lists);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const turn = yieldWhenDue();
    if (turn !== null) await turn;
  }
}

/** Yields after each condition, and within those that take long. */
function* compileInSteps<R extends RuleDraft>(
  gate: Evaluable<R>,
  budget: RegexBudget,
  lists: ListHandles,
): Generator<void, Evaluate<R>> {
  const values = createFieldValues();
  const shared = new Map<string, Check>();
  const compiled: CompiledRule<R>[] = [];
  for (const rule of gate.rules) {
    if (!rule.enabled) continue;
    const live = rule.mode === 'live';
    const checks: Check[] = [];
    for (const condition of cheapestFirst(rule.conditions)) {
      const name = JSON.stringify([condition.field, condition.operator, condition.value]);
      let check = shared.get(name);
      if (check === undefined) {
        check = compileCondition(condition, values, budget, lists);
        shared.set(name, check);
        if (check.steps !== undefined) yield* check.steps();
      }
      checks.push(check);
      yield;
    }
    compiled.push({ rule, checks, any: rule.match === 'any', live, final: live && rule.stop });
  }
  return evaluationOf(gate, compiled, values, budget);
}

function evaluationOf<R extends RuleDraft>(
  gate: Evaluable<R>,
  compiled: readonly CompiledRule<R>[],
  values: FieldValues,
  budget: RegexBudget,
): Evaluate<R> {
  const none: readonly R[] = Object.freeze([]);
  const nothing: Evaluation<R> = Object.freeze({
    action: gate.defaultAction,
    matchedRule: null,
    matched: none,
    shadowMatched: none,
  });

  let evaluation = 0;
  return (signals) => {
    budget.begin();
    evaluation += 1;
    const lists = values.take(signals);
    let decided: R | null = null;
    let matched: R[] | null = null;
    let shadowMatched: R[] | null = null;
    for (const compiledRule of compiled) {
      if (!holds(compiledRule, lists, evaluation)) continue;
      if (!compiledRule.live) {
        shadowMatched = appended(shadowMatched, compiledRule.rule);
        continue;
      }
      decided = compiledRule.rule;
      matched = appended(matched, decided);
      if (compiledRule.final) break;
    }
    if (matched === null && shadowMatched === null) return nothing;
    return {
      action: decided === null ? gate.defaultAction : decided.action,
      matchedRule: decided,
      matched: matched ?? none,
      shadowMatched: shadowMatched ?? none,
    };
  };
}

/** The order of conditions changes no result: numbers before texts, and regular expressions, the most expensive, last. */
function cheapestFirst(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.toSorted((one, other) => expense(one) - expense(other));
}

function expense({ field, operator }: Condition): number {
  if (findOperator(operator)?.isPattern === true) return 2;
  const type = findField(field)?.type;
  return type === 'boolean' || type === 'integer' ? 0 : 1;
}

/** With `any` the first condition that holds decides, with `all` the first that does not. */
function holds({ checks, any }: CompiledRule<unknown>, values: ValueLists, evaluation: number): boolean {
  for (const check of checks) {
    if (holdsFor(check, values, evaluation) === any) return any;
  }
  return !any;
}

function appended<R>(list: R[] | null, rule: R): R[] {
  if (list === null) return [rule];
  list.push(rule);
  return list;
}
