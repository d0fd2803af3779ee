import { isPlainObject } from '../../input/json-value.ts';
import type { Limit } from '../../input/scalar.ts';
import type { YieldWhenDue } from '../../platform/yielding.ts';
import { maxPatternLength } from '../regex/regex.ts';
import { type RegexCosts, regexCosts } from '../regex/regex-cost.ts';
import { findOperator } from './operators.ts';

/** The most that compiling the regular expressions of one gate may cost; a plain character costs one. */
export const maxGateRegexEffort = 60_000;

const tooLarge =
  'The regular expressions of the rules of a gate are too large together: ' +
  `they may come to ${maxGateRegexEffort.toLocaleString('en')}.`;

/** The limit on the regular expressions of rules, checked before the slow compilation. */
export const patternsOfRules: Limit<readonly unknown[]> = {
  schema: {},
  holds: (rules) => effortOf(conditionsOf(rules)) <= maxGateRegexEffort,
  problem: () => tooLarge,
};

/** A regular expression of a rule: where it is, and how large a program it may become. */
export interface PatternCost {
  readonly rule: number;
  readonly condition: number;
  readonly size: number;
}

/** The cost of rules' regular expressions, in total and by pattern. */
export function regexCostOf(rules: readonly unknown[]): { total: number; patterns: PatternCost[] } {
  const patterns = rules.flatMap((each, rule) =>
    conditionsOf([each]).flatMap((one, condition) => {
      const costs = patternCosts(one);
      return costs === null ? [] : [{ rule, condition, size: costs.size }];
    }),
  );
  return { total: effortOf(conditionsOf(rules)), patterns };
}

function conditionsOf(rules: readonly unknown[]): readonly unknown[] {
  return rules.flatMap((rule) => (isPlainObject(rule) && Array.isArray(rule.conditions) ? rule.conditions : []));
}

function effortOf(conditions: readonly unknown[]): number {
  return conditions.reduce<number>((sum, condition) => sum + (patternCosts(condition)?.effort ?? 0), 0);
}

/** Counts the costs for `regexCostOf` in advance: fifteen hundred patterns take longer than the event loop may be blocked. */
export async function countPatternCosts(rules: readonly unknown[], yieldWhenDue: YieldWhenDue): Promise<void> {
  for (const condition of conditionsOf(rules)) {
    patternCosts(condition);
    const turn = yieldWhenDue();
    if (turn !== null) await turn;
  }
}

/** Costs are counted once per condition. */
const counted = new WeakMap<object, RegexCosts>();

/** The costs of a condition's pattern. Null for anything else, which costs nothing here and is rejected elsewhere. */
export function patternCosts(condition: unknown): RegexCosts | null {
  if (!isPlainObject(condition)) return null;
  const known = counted.get(condition);
  if (known !== undefined) return known;
  const { operator, value } = condition;
  const isPattern = typeof operator === 'string' && findOperator(operator)?.isPattern === true;
  if (!isPattern || typeof value !== 'string' || value.length > maxPatternLength) return null;
  const costs = regexCosts(value);
  counted.set(condition, costs);
  return costs;
}
