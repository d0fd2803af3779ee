import type { Condition } from '../rules/condition.ts';
import { findField } from '../rules/fields.ts';
import { findOperator } from '../rules/operators.ts';

const longestName = 120;

/** A name that says what the conditions are. */
export function ruleName(conditions: readonly Condition[]): string {
  const text = conditions.map(conditionText).join(', ');
  return text.length <= longestName ? text : `${text.slice(0, longestName - 1)}…`;
}

function conditionText({ field, operator, value }: Condition): string {
  const { label = field, unit } = findField(field) ?? {};
  if (operator === 'equals' && value === true) return label;
  if (operator === 'equals' && value === false) return `not ${label}`;
  const words = [label, findOperator(operator).label];
  if (value !== undefined) words.push(String(value));
  if (unit !== undefined && typeof value === 'number') words.push(unit);
  return words.join(' ');
}
