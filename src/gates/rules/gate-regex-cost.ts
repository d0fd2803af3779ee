import { AppError } from '../../errors.ts';
import type { Condition } from './condition.ts';
import { findOperator } from './operators.ts';
import type { RuleDraft } from './rule.ts';

/** What the regular expressions of one gate may cost together: every decision may have to run all of them. */
export const maxGateRegexCost = 10_000;

/** What the regular expressions of some conditions cost together. */
export function regexCostOf(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, { operator, value }) => sum + (findOperator(operator)?.cost?.(value) ?? 0), 0);
}

/** Refuses rules whose regular expressions are too large together, though each rule's are not. */
export function checkGateRegexCost(rules: readonly RuleDraft[], path: string): void {
  if (regexCostOf(rules.flatMap(({ conditions }) => conditions)) <= maxGateRegexCost) return;
  throw new AppError('validation_failed', {
    errors: { [path]: ['The regular expressions of the rules of this gate are too large together.'] },
  });
}
