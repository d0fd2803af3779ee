import { type Input, pathOf, refused } from '../../input/input.ts';
import { isPlainObject } from '../../input/json-value.ts';
import { reportUnknown } from '../../input/object.ts';
import type { Problems } from '../../input/problems.ts';
import { schema } from '../../input/schema.ts';
import type { Condition, ConditionValue } from './condition.ts';
import * as values from './condition-value.ts';
import { type Field, findField, operatorsOf } from './fields.ts';
import { findOperator, type Operator } from './operators.ts';
import { regexAhead } from './patterns-ahead.ts';

const properties = {
  field: schema.string({ description: 'A path of GET /v1/fields' }),
  operator: schema.string(),
  value: schema.optional({
    description: 'The value that the operator compares with; omit it with is_known and is_unknown',
  }),
};

/** A condition; its field and its operator determine which values it takes. */
export const conditionInput: Input<Condition> = {
  schema: schema.object(properties, { additionalProperties: false }),
  read(input, path, problems) {
    if (!isPlainObject(input)) {
      problems.add(path, 'A condition must be an object with field, operator and value.');
      return refused;
    }
    const before = problems.count;
    const field = readField(input.field, pathOf(path, 'field'), problems);
    const operator = readOperator(input.operator, field, pathOf(path, 'operator'), problems);
    if (field !== null && operator !== null) {
      readValue(input, inputOf(operator, field), pathOf(path, 'value'), problems);
    }
    reportUnknown(input, properties, path, problems);
    if (field === null || operator === null || problems.count > before) return refused;
    const condition = { field: field.path, operator };
    // A valid value is kept as it was sent.
    return input.value === undefined ? condition : { ...condition, value: input.value as ConditionValue };
  },
};

function readValue(
  condition: Readonly<Record<string, unknown>>,
  input: Input<unknown> | undefined,
  path: string,
  problems: Problems,
): void {
  const regex = regexAhead(condition);
  if (regex === undefined) input?.read(condition.value, path, problems);
  else if (values.part.read(condition.value, path, problems) !== refused && !regex.ok)
    problems.add(path, regex.problem);
}

/** Every kind of text takes the same values; the plain one does the least work with them. */
function inputOf(operator: Operator, field: Field): Input<unknown> | undefined {
  const row = findOperator(operator);
  if (row?.isList === true) return values.listId;
  if (field.type === 'string' || field.type === 'string[]') return row?.[field.type]?.plain;
  return row?.[field.type];
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
    const allowed = operatorsOf(field);
    const operator = allowed.find((candidate) => candidate === input);
    if (operator !== undefined) return operator;
    problems.add(path, `A ${field.type} field takes one of: ${allowed.join(', ')}.`);
  } else if (findOperator(input) === undefined) problems.add(path, 'There is no such operator.');
  return null;
}
