import type { Condition } from '../rules/condition.ts';
import { findField } from '../rules/fields.ts';
import { findOperator } from '../rules/operators.ts';
import { localPartPatterns } from './local-part-patterns.ts';

/** A condition, also a drafted one whose list is missing. */
type WrittenCondition = Pick<Condition, 'field' | 'operator'> & { readonly value?: unknown };

/** A condition in words. */
export function conditionText({ field, operator, value }: WrittenCondition): string {
  const { label = field, unit } = findField(field) ?? {};
  if (operator === 'equals' && value === true) return label;
  if (operator === 'equals' && value === false) return `not ${label}`;
  const pattern = localPartPatterns.find((known) => operator === 'matches' && known.pattern === value);
  if (pattern !== undefined) return `${label} ${pattern.text}`;
  const words = [label, findOperator(operator).label];
  if (value !== undefined) words.push(String(value));
  if (unit !== undefined && typeof value === 'number') words.push(unit);
  return words.join(' ');
}
