import { isPlainObject } from '../../input/json-value.ts';
import type { Limit } from '../../input/scalar.ts';
import { maxPatternLength } from '../regex/regex.ts';
import { regexEffort, regexSize } from '../regex/regex-cost.ts';
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

/** What the regular expressions of rules cost, together and each. */
export function regexCostOf(rules: readonly unknown[]): { total: number; patterns: PatternCost[] } {
  const patterns = rules.flatMap((each, rule) =>
    conditionsOf([each]).flatMap((one, condition) => {
      const pattern = patternIn(one);
      return pattern === null ? [] : [{ rule, condition, size: regexSize(pattern) }];
    }),
  );
  return { total: effortOf(conditionsOf(rules)), patterns };
}

function conditionsOf(rules: readonly unknown[]): readonly unknown[] {
  return rules.flatMap((rule) => (isPlainObject(rule) && Array.isArray(rule.conditions) ? rule.conditions : []));
}

/** Anything other than a condition with a pattern costs nothing here and is rejected elsewhere. */
function effortOf(conditions: readonly unknown[]): number {
  return conditions.reduce<number>((sum, condition) => {
    const pattern = patternIn(condition);
    return pattern === null ? sum : sum + regexEffort(pattern);
  }, 0);
}

function patternIn(condition: unknown): string | null {
  if (!isPlainObject(condition)) return null;
  const { operator, value } = condition;
  const isPattern = typeof operator === 'string' && findOperator(operator)?.isPattern === true;
  return isPattern && typeof value === 'string' && value.length <= maxPatternLength ? value : null;
}
