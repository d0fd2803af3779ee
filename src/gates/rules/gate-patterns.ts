import { AppError } from '../../errors.ts';
import { isPlainObject } from '../../input/json-value.ts';
import type { Limit } from '../../input/scalar.ts';
import { findOperator } from './operators.ts';
import { maxPatternLength } from './regex.ts';
import { regexEffort } from './regex-cost.ts';
import type { RuleDraft } from './rule.ts';

/** What it may take to compile the regular expressions of one gate; a plain character counts for one. */
export const maxGateRegexEffort = 60_000;

const tooLarge =
  'The regular expressions of the rules of a gate are too large together: ' +
  `they may come to ${maxGateRegexEffort.toLocaleString('en')}.`;

/** Regular expressions of conditions that nobody has compiled yet; looked at first, because compiling takes long. */
export const patternsOfConditions: Limit<readonly unknown[]> = {
  schema: {},
  isKept: (conditions) => effortOf(conditions) <= maxGateRegexEffort,
  problem: () => tooLarge,
};

/** As with conditions, over several rules. */
export const patternsOfRules: Limit<readonly unknown[]> = {
  schema: {},
  isKept: (rules) => effortOf(conditionsOf(rules)) <= maxGateRegexEffort,
  problem: () => tooLarge,
};

/** Refuses rules whose regular expressions are too large together, though each rule's are not. */
export function checkGatePatterns(rules: readonly RuleDraft[]): void {
  if (effortOf(conditionsOf(rules)) <= maxGateRegexEffort) return;
  throw new AppError('validation_failed', { errors: { conditions: [tooLarge] } });
}

function conditionsOf(rules: readonly unknown[]): readonly unknown[] {
  return rules.flatMap((rule) => (isPlainObject(rule) && Array.isArray(rule.conditions) ? rule.conditions : []));
}

/** What is no condition, or has no pattern that would be compiled, costs nothing here and is refused elsewhere. */
function effortOf(conditions: readonly unknown[]): number {
  return conditions.reduce<number>((sum, condition) => {
    if (!isPlainObject(condition)) return sum;
    const { operator, value } = condition;
    const isPattern = typeof operator === 'string' && findOperator(operator)?.isPattern === true;
    if (!isPattern || typeof value !== 'string' || value.length > maxPatternLength) return sum;
    return sum + regexEffort(value);
  }, 0);
}
