import { type Input, refused } from '../../input/input.ts';
import { createProblems } from '../../input/problems.ts';
import type { Condition } from './condition.ts';
import type { FieldReaders } from './field-readers.ts';
import { findField, type Read } from './fields.ts';
import { findOperator, type Test } from './operators.ts';
import type { DecisionSignals } from './signals.ts';

/** A condition that cannot be compiled: it was never validated, or was kept by a version with other fields. */
export class ConditionError extends Error {
  constructor({ field, operator }: Condition, reason: string) {
    super(`The condition on ${field} (${operator}) cannot be compiled: ${reason}`);
    this.name = 'ConditionError';
  }
}

/** A condition ready to be asked. */
export type Check = (signals: DecisionSignals) => boolean;

/** Turns a condition into a check. Unknown is not false: only `is_unknown` holds on a field that is null. */
export function compileCondition(condition: Condition, readers: FieldReaders): Check {
  const field = findField(condition.field);
  if (field === undefined) throw new ConditionError(condition, 'there is no such field');
  const row = findOperator(condition.operator);
  if (row === undefined) throw new ConditionError(condition, 'there is no such operator');
  const { isNegated = false, holdsOnUnknown = false, keepsCase = false } = row;
  const checkOf = <T>(read: Read<T>, test: Test<T>): Check => {
    const passes: Test<T> = isNegated ? (actual) => !test(actual) : test;
    return (signals) => {
      const actual = read(signals);
      return actual === null ? holdsOnUnknown : passes(actual);
    };
  };
  switch (field.type) {
    case 'boolean':
      return checkOf(field.read, testOf(condition, row.boolean));
    case 'integer':
      return checkOf(field.read, testOf(condition, row.integer));
    case 'string':
      return checkOf(readers.text(field, keepsCase), testOf(condition, row.string));
    case 'string[]': {
      const test = testOf(condition, row['string[]']);
      return checkOf(readers.list(field, keepsCase), (texts) => texts.some(test));
    }
  }
}

function testOf<T>(condition: Condition, input: Input<Test<T>> | undefined): Test<T> {
  if (input === undefined) throw new ConditionError(condition, 'the operator is for fields of another type');
  const problems = createProblems();
  const test = input.read(condition.value, 'value', problems);
  if (test === refused) throw new ConditionError(condition, JSON.stringify(problems.toFieldErrors()));
  return test;
}
