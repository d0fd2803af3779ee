import type { YieldWhenDue } from '../../platform/yielding.ts';
import { compileRegex } from '../regex/regex.ts';
import type { RegexBudget } from '../regex/regex-budget.ts';
import type { Action } from './action.ts';
import { type Check, compileCondition, holdsFor } from './compile-condition.ts';
import type { Condition } from './condition.ts';
import type { Evaluable } from './evaluate.ts';
import { createFieldValues, type ValuePlace, valueAt } from './field-values.ts';
import { type Field, findField } from './fields.ts';
import { type ListHandles, noLists } from './list-condition.ts';
import { findOperator } from './operators.ts';
import type { RuleDraft } from './rule.ts';
import type { DecisionSignals, SubjectName } from './signals.ts';

/** The result of a rule that could be evaluated. */
export const outcomes = [
  'decided',
  'overruled',
  'matched_shadow',
  'not_matched',
  'unknown',
  'not_reached',
  'disabled',
] as const;
export type Outcome = (typeof outcomes)[number];

/** Why values are unknown, in the places of the values; null for a subject that was not sent. */
export type UnknownReasons = Readonly<Record<SubjectName, readonly (string | null)[] | null>>;

/** The subject of a decision, with the reason for each unknown value. */
export interface TraceSubject {
  readonly signals: DecisionSignals;
  readonly reasons: UnknownReasons;
}

/** A condition, the value it was tested on, and the result. */
export interface TracedCondition {
  readonly condition: Condition;
  /** Null if unknown. */
  readonly holds: boolean | null;
  /** Null: unknown. */
  readonly value: unknown;
  /** Why the value is unknown, or why a known one was not tested; null otherwise. */
  readonly reason: string | null;
}

/** A rule with its result and those of all its conditions, in order. */
export interface TracedRule<R> {
  readonly rule: R;
  readonly outcome: Outcome;
  readonly conditions: readonly TracedCondition[];
}

/** A gate's decision and how it was reached. */
export interface Trace<R> {
  readonly action: Action;
  readonly matchedRule: R | null;
  readonly rules: readonly TracedRule<R>[];
}

interface TraceOptions {
  readonly budget: RegexBudget;
  readonly yieldWhenDue: YieldWhenDue;
  readonly lists?: ListHandles;
}

/**
 * Decides as `compileGate` does, and reports the result of every rule and condition. Where the regular expressions take
 * longer than the budget it may leave other conditions open, because it looks at more of them.
 */
export async function traceRules<R extends RuleDraft>(
  gate: Evaluable<R>,
  subject: TraceSubject,
  { budget, yieldWhenDue, lists = noLists }: TraceOptions,
): Promise<Trace<R>> {
  const look = createLook(subject, budget, lists);
  const compiled: { rule: R; checks: readonly Look[] }[] = [];
  for (const rule of gate.rules) {
    const checks: Look[] = [];
    for (const condition of rule.conditions) {
      const compiling = look.compile(condition);
      checks.push(compiling);
      for (const _step of stepsOf(compiling.check)) {
        const turn = yieldWhenDue();
        if (turn !== null) await turn;
      }
    }
    compiled.push({ rule, checks });
  }
  const looked = look.readAll();
  return judged(
    gate.defaultAction,
    compiled.map(({ rule, checks }) => ({ rule, conditions: checks.map(looked) })),
  );
}

/** At least one, so that it yields between two conditions. */
function* stepsOf({ steps }: Check): Generator<void> {
  if (steps !== undefined) yield* steps();
  yield;
}

interface Look {
  readonly condition: Condition;
  readonly field: Field;
  /** The position of the value in its original form. */
  readonly shown: ValuePlace;
  readonly check: Check;
}

function createLook({ signals, reasons }: TraceSubject, budget: RegexBudget, lists: ListHandles) {
  const values = createFieldValues();
  let isOutOfTime = false;
  const watched: RegexBudget = {
    begin: () => budget.begin(),
    allows() {
      const allows = budget.allows();
      isOutOfTime ||= !allows;
      return allows;
    },
  };
  return {
    compile(condition: Condition): Look {
      // A trace shows every condition: its patterns are compiled before its time begins.
      if (findOperator(condition.operator)?.isPattern === true) compileRegex(String(condition.value));
      const check = compileCondition(condition, values, watched, lists);
      const field = findField(condition.field) as Field;
      return { condition, field, shown: values.placeOf(field, true), check };
    },
    /** Reads the values of all fields; the returned function evaluates one condition on them. */
    readAll() {
      const taken = values.take(signals);
      watched.begin();
      return ({ condition, field, shown, check }: Look): TracedCondition => {
        const value = valueAt(taken, shown) as TracedCondition['value'];
        if (value === null) {
          const holds = findOperator(condition.operator)?.holdsOnUnknown ?? null;
          return { condition, holds, value, reason: reasonOf(reasons, field) };
        }
        if (check.customList?.members === null) return { condition, holds: null, value, reason: 'no_list' };
        isOutOfTime = false;
        const holds = holdsFor(check, taken, 1);
        return { condition, holds: isOutOfTime ? null : holds, value, reason: isOutOfTime ? 'no_time' : null };
      };
    },
  };
}

function reasonOf(reasons: UnknownReasons, { subject, place }: Field): string {
  const ofSubject = reasons[subject];
  return ofSubject === null ? 'not_sent' : (ofSubject[place] ?? 'no_data');
}

type LookedAt<R> = Omit<TracedRule<R>, 'outcome'>;

function judged<R extends RuleDraft>(defaultAction: Action, rules: readonly LookedAt<R>[]): Trace<R> {
  let isFinal = false;
  let decided: LookedAt<R> | null = null;
  const outcomeOf = new Map<LookedAt<R>, Outcome>();
  for (const each of rules) {
    const outcome = isFinal && each.rule.enabled ? 'not_reached' : outcomeAlone(each);
    outcomeOf.set(each, outcome);
    if (outcome !== 'decided') continue;
    if (decided !== null) outcomeOf.set(decided, 'overruled');
    decided = each;
    isFinal = each.rule.stop;
  }
  return {
    action: decided?.rule.action ?? defaultAction,
    matchedRule: decided?.rule ?? null,
    rules: rules.map((each) => ({ ...each, outcome: outcomeOf.get(each) ?? 'not_matched' })),
  };
}

/** The result of a rule on its own. */
function outcomeAlone({ rule, conditions }: LookedAt<RuleDraft>): Outcome {
  if (!rule.enabled) return 'disabled';
  const isMet = rule.match === 'any' ? conditions.some(holds) : conditions.every(holds);
  if (isMet) return rule.mode === 'shadow' ? 'matched_shadow' : 'decided';
  const isOpen = conditions.some((each) => each.holds === null);
  const isSettled = rule.match === 'all' && conditions.some((each) => each.holds === false);
  return isOpen && !isSettled ? 'unknown' : 'not_matched';
}

const holds = (condition: TracedCondition): boolean => condition.holds === true;
