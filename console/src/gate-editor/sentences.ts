import { grouped } from '../text/numbers.ts';
import type { Condition, FieldEntry, Fields, Rule } from './gate.ts';

const words: Readonly<Record<string, string>> = {
  equals: 'is',
  not_equals: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  matches: 'matches',
  not_matches: 'does not match',
  greater_than: 'is more than',
  greater_than_or_equal: 'is at least',
  less_than: 'is less than',
  less_than_or_equal: 'is at most',
  between: 'is between',
  is_known: 'is known',
  is_unknown: 'is not known',
};

/** An operator as somebody would say it. */
export const operatorWords = (operator: string): string => words[operator] ?? operator.replaceAll('_', ' ');

/** Whether an operator takes no value. */
export const takesNoValue = (operator: string): boolean => operator === 'is_known' || operator === 'is_unknown';

/** Whether an operator takes a list. */
export const takesList = (operator: string): boolean => operator === 'in' || operator === 'not_in';

/** A field by its names: where it belongs, and what it is. */
export function fieldName(path: string, fields: Fields): string {
  const field = fields.get(path);
  return field === undefined ? path : `${field.group.split(' · ')[0]} · ${lowerFirst(field.label)}`;
}

/** SPF stays SPF, Public mail becomes public mail. */
const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** Values named one by one before the rest is counted. */
const namedValues = 3;

/** A value as somebody would write it. */
export function valueText(value: unknown, field?: FieldEntry): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value === null || value === undefined) return '…';
  const unit = field?.unit === undefined ? '' : ` ${field.unit}`;
  if (typeof value === 'number') return `${grouped(value)}${unit}`;
  if (typeof value === 'string') return value === '' ? '…' : `“${value}”`;
  if (!Array.isArray(value)) return JSON.stringify(value);
  const named = value
    .slice(0, namedValues)
    .map((one) => valueText(one))
    .join(', ');
  return value.length > namedValues ? `${named} and ${grouped(value.length - namedValues)} more` : named || '…';
}

/** A condition as a sentence: "Domain · age is less than 30 days". */
export function conditionText({ field: path, operator, value }: Condition, fields: Fields): string {
  const field = fields.get(path);
  const subject = `${fieldName(path, fields)} ${operatorWords(operator)}`;
  if (takesNoValue(operator)) return subject;
  if (operator === 'between' && Array.isArray(value))
    return `${subject} ${valueText(value[0])} and ${valueText(value[1], field)}`;
  return `${subject} ${valueText(value, field)}`;
}

/** When a rule matches, as a sentence. */
export function ruleText({ match, conditions }: Pick<Rule, 'match' | 'conditions'>, fields: Fields): string {
  const glue = match === 'all' ? ' and ' : ' or ';
  return conditions.map((condition) => conditionText(condition, fields)).join(glue);
}
