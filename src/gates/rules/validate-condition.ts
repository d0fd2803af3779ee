import type { Condition, ConditionValue } from './condition.ts';
import { type Field, findField } from './fields.ts';
import { isPlainObject, isStorableText } from './json-value.ts';
import { type Operator, operatorsByType } from './operators.ts';
import type { Problems } from './problems.ts';
import { compileRegex } from './regex.ts';

/** The longest list of `in` and `not_in`. */
export const maxListItems = 1000;

/** The longest string a condition compares with, in characters. */
export const maxValueLength = 1000;

/** The largest program of a pattern that is tried on every element of a list; a domain may have dozens of long MX hosts. */
export const maxListPatternCost = 100;

/** A condition that holds to the contract, and what its regular expression costs. */
export interface ValidCondition {
  readonly condition: Condition;
  readonly regexCost: number;
}

/** Reads one condition; null when something is wrong with it, which is then among the problems. */
export function validateCondition(input: unknown, path: string, problems: Problems): ValidCondition | null {
  if (!isPlainObject(input)) {
    problems.add(path, 'A condition must be an object with field, operator and value.');
    return null;
  }
  const before = problems.count;
  for (const key of Object.keys(input)) {
    if (!['field', 'operator', 'value'].includes(key)) problems.add(`${path}.${key}`, 'This field is not known.');
  }
  const field = readField(input.field, `${path}.field`, problems);
  const operator = readOperator(input.operator, field, `${path}.operator`, problems);
  if (field === null || operator === null) return null;
  const report = (message: string, index?: number) =>
    problems.add(index === undefined ? `${path}.value` : `${path}.value.${index}`, message);
  const read = readValue(input, field, operator, report);
  if (read === null || problems.count > before) return null;
  const condition = { field: field.path, operator };
  return {
    condition: read.value === undefined ? condition : { ...condition, value: read.value },
    regexCost: read.regexCost ?? 0,
  };
}

function readField(input: unknown, path: string, problems: Problems): Field | null {
  if (input === undefined) problems.add(path, 'The field is required.');
  else if (typeof input !== 'string') problems.add(path, 'The field must be a string.');
  else {
    const field = findField(input);
    if (field !== undefined) return field;
    problems.add(path, 'There is no such field. GET /v1/fields lists them.');
  }
  return null;
}

function readOperator(input: unknown, field: Field | null, path: string, problems: Problems): Operator | null {
  if (input === undefined) problems.add(path, 'The operator is required.');
  else if (typeof input !== 'string') problems.add(path, 'The operator must be a string.');
  else if (field !== null) {
    const allowed: readonly Operator[] = operatorsByType[field.type];
    const operator = allowed.find((candidate) => candidate === input);
    if (operator !== undefined) return operator;
    problems.add(path, `A ${field.type} field takes one of: ${allowed.join(', ')}.`);
  } else if (!Object.values(operatorsByType).some((operators) => operators.some((known) => known === input))) {
    problems.add(path, 'There is no such operator.');
  }
  return null;
}

type Report = (message: string, index?: number) => void;

interface ReadValue {
  readonly value?: ConditionValue;
  readonly regexCost?: number;
}

function readValue(
  input: Readonly<Record<string, unknown>>,
  field: Field,
  operator: Operator,
  report: Report,
): ReadValue | null {
  const { value } = input;
  if (operator === 'is_known' || operator === 'is_unknown') {
    if (value === undefined) return {};
    report(`${operator} takes no value.`);
    return null;
  }
  if (value === undefined) {
    report('The value is required.');
    return null;
  }
  if (operator === 'matches' || operator === 'not_matches') return readPattern(value, field, report);
  const scalar = field.type === 'boolean' ? asBoolean : field.type === 'integer' ? asInteger : asText(operator);
  const read =
    operator === 'in' || operator === 'not_in'
      ? readList(value, scalar, report)
      : operator === 'between'
        ? readRange(value, report)
        : scalar(value, report);
  return read === null ? null : { value: read };
}

function readPattern(value: unknown, field: Field, report: Report): ReadValue | null {
  const pattern = asText('matches')(value, report);
  if (typeof pattern !== 'string') return null;
  const regex = compileRegex(pattern);
  if (!regex.ok) report(regex.problem);
  else if (field.type === 'string[]' && regex.cost > maxListPatternCost) {
    report('The regular expression is too large for a field that is a list: it is tried on every element.');
  } else return { value: pattern, regexCost: regex.cost };
  return null;
}

type ReadScalar = (value: unknown, report: Report, index?: number) => boolean | number | string | null;

const asBoolean: ReadScalar = (value, report, index) => {
  if (typeof value === 'boolean') return value;
  report('The value must be true or false.', index);
  return null;
};

const asInteger: ReadScalar = (value, report, index) => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  report('The value must be an integer.', index);
  return null;
};

/** An empty text may be equal to something, but every text contains it: there it can only be a mistake. */
function asText(operator: Operator): ReadScalar {
  const mayBeEmpty = ['equals', 'not_equals', 'in', 'not_in'].includes(operator);
  return (value, report, index) => {
    if (typeof value !== 'string') report('The value must be a string.', index);
    else if (value === '' && !mayBeEmpty) report('The value must not be empty.', index);
    else if (value.length > maxValueLength) report(`The value must not exceed ${maxValueLength} characters.`, index);
    else if (!isStorableText(value)) report('The value must be text without NUL characters.', index);
    else return value;
    return null;
  };
}

function readList(value: unknown, scalar: ReadScalar, report: Report): ConditionValue | null {
  if (!Array.isArray(value)) {
    report('The value must be a list.');
    return null;
  }
  if (value.length === 0 || value.length > maxListItems) {
    report(`The list must have 1 to ${maxListItems} items.`);
    return null;
  }
  const strings: string[] = [];
  const numbers: number[] = [];
  for (const [index, item] of value.entries()) {
    const read = scalar(item, report, index);
    if (typeof read === 'string') strings.push(read);
    else if (typeof read === 'number') numbers.push(read);
  }
  if (strings.length === value.length) return strings;
  return numbers.length === value.length ? numbers : null;
}

function readRange(value: unknown, report: Report): ConditionValue | null {
  if (!Array.isArray(value) || value.length !== 2) {
    report('The value must be a list of two integers: [low, high].');
    return null;
  }
  const low = asInteger(value[0], report, 0);
  const high = asInteger(value[1], report, 1);
  if (typeof low !== 'number' || typeof high !== 'number') return null;
  if (low <= high) return [low, high];
  report('The first number of the range must not be greater than the second.');
  return null;
}
