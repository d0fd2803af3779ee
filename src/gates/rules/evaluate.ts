import type { Action } from './action.ts';
import { type Cells, createCells } from './cells.ts';
import { type Check, type Checks, createChecks } from './check.ts';
import { compileCondition } from './compile-condition.ts';
import type { Condition } from './condition.ts';
import type { RuleDraft } from './rule.ts';
import type { DecisionSignals } from './signals.ts';

/** What a gate answers, and which of its rules said so. */
export interface Verdict<R> {
  readonly action: Action;
  /** The rule that decided; null when none matched and the default action applies. */
  readonly matchedRule: R | null;
  /** The live rules that matched, in order. */
  readonly matched: readonly R[];
  /** The shadow rules that matched, in order; they never decide. */
  readonly shadowMatched: readonly R[];
}

/** What an evaluation needs of a gate; proposed rules without an identity will do. */
export interface Evaluable<R extends RuleDraft> {
  readonly defaultAction: Action;
  readonly rules: readonly R[];
}

interface CompiledRule<R> {
  readonly rule: R;
  /** Its checks among those of the gate: the first, and the one after the last. */
  readonly start: number;
  readonly end: number;
  /** One condition is enough. */
  readonly any: boolean;
  readonly live: boolean;
  readonly final: boolean;
}

/** Compiles the rules of a gate once, into a function from signals to a verdict. */
export function compileGate<R extends RuleDraft>(gate: Evaluable<R>): (signals: DecisionSignals) => Verdict<R> {
  const cells = createCells();
  const all: Check[] = [];
  const compiled = gate.rules.filter((rule) => rule.enabled).map((rule) => compileRule(rule, cells, all));
  const checks = createChecks(all, cells.numbers);
  const none: readonly R[] = Object.freeze([]);
  const nothing: Verdict<R> = Object.freeze({
    action: gate.defaultAction,
    matchedRule: null,
    matched: none,
    shadowMatched: none,
  });

  return (signals) => {
    cells.load(signals);
    let decided: R | null = null;
    let matched: R[] | null = null;
    let shadowMatched: R[] | null = null;
    for (const compiledRule of compiled) {
      if (!holds(compiledRule, checks)) continue;
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

/** Adds the checks of a rule to those of its gate. */
function compileRule<R extends RuleDraft>(rule: R, cells: Cells, checks: Check[]): CompiledRule<R> {
  const live = rule.mode === 'live';
  const start = checks.length;
  for (const condition of cheapestFirst(rule.conditions)) checks.push(compileCondition(condition, cells));
  return {
    rule,
    start,
    end: checks.length,
    any: rule.match === 'any',
    live,
    final: live && rule.stop,
  };
}

/** A regular expression costs more than everything else together, and the order of conditions changes no result. */
function cheapestFirst(conditions: readonly Condition[]): readonly Condition[] {
  const isRegex = ({ operator }: Condition) => operator === 'matches' || operator === 'not_matches';
  return [...conditions.filter((condition) => !isRegex(condition)), ...conditions.filter(isRegex)];
}

/** Under `any` the first condition that holds settles it, under `all` the first that does not. */
function holds({ start, end, any }: CompiledRule<unknown>, checks: Checks): boolean {
  for (let index = start; index < end; index += 1) {
    if (checks.holds(index) === any) return any;
  }
  return !any;
}

function appended<R>(list: R[] | null, rule: R): R[] {
  if (list === null) return [rule];
  list.push(rule);
  return list;
}
