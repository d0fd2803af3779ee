import { AppError } from '../../errors.ts';
import { regexCost } from './regex-cost.ts';
import type { RuleDraft } from './rule.ts';

/** What the regular expressions of one gate may cost together: every decision may have to run all of them. */
export const maxGateRegexCost = 10_000;

/** Refuses rules whose regular expressions are too large together, though each rule's are not. */
export function checkGateRegexCost(rules: readonly RuleDraft[], path: string): void {
  let cost = 0;
  for (const { conditions } of rules) {
    for (const { operator, value } of conditions) {
      if ((operator === 'matches' || operator === 'not_matches') && typeof value === 'string') cost += regexCost(value);
    }
  }
  if (cost <= maxGateRegexCost) return;
  throw new AppError('validation_failed', {
    errors: { [path]: ['The regular expressions of the rules of this gate are too large together.'] },
  });
}
