import { type Input, refused } from '../../input/input.ts';
import { createProblems } from '../../input/problems.ts';
import type { Condition } from './condition.ts';
import type { FieldReaders } from './field-readers.ts';
import { findField, type Read } from './fields.ts';
import { findOperator, type Test } from './operators.ts';
import type { RegexBudget } from './regex-budget.ts';
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

/**
 * Turns a condition into a check. Unknown is not false: only `is_unknown` holds on a field that is null, and a regular
 * expression for which the budget has no time leaves its condition unknown.
 */
export function compileCondition(condition: Condition, readers: FieldReaders, budget: RegexBudget): Check {
  const field = findField(condition.field);
  if (field === undefined) throw new ConditionError(condition, 'there is no such field');
  const row = findOperator(condition.operator);
  if (row === undefined) throw new ConditionError(condition, 'there is no such operator');
  const { isNegated = false, holdsOnUnknown = false, keepsCase = false, isPattern = false } = row;
  const checkOf = <T>(read: Read<T>, test: Test<T>): Check => {
    const passes: Test<T> = isNegated ? (actual) => !test(actual) : test;
    return (signals) => {
      const actual = read(signals);
      return actual === null ? holdsOnUnknown : passes(actual);
    };
  };
  const patternCheckOf = (read: Read<readonly string[]>, test: Test<string>): Check => {
    return (signals) => {
      const texts = read(signals);
      if (texts === null) return false;
      for (const text of texts) {
        if (!budget.allows()) return false;
        if (test(text)) return !isNegated;
      }
      return isNegated;
    };
  };
  switch (field.type) {
    case 'boolean':
      return checkOf(field.read, testOf(condition, row.boolean));
    case 'integer':
      return checkOf(field.read, testOf(condition, row.integer));
    case 'string': {
      const test = testOf(condition, row.string);
      const read = readers.text(field, keepsCase);
      return isPattern ? patternCheckOf(asList(read), test) : checkOf(read, test);
    }
    case 'string[]': {
      const test = testOf(condition, row['string[]']);
      const read = readers.list(field, keepsCase);
      return isPattern ? patternCheckOf(read, test) : checkOf(read, (texts) => texts.some(test));
    }
  }
}

function asList(read: Read<string>): Read<readonly string[]> {
  return (signals) => {
    const text = read(signals);
    return text === null ? null : [text];
  };
}

function testOf<T>(condition: Condition, input: Input<Test<T>> | undefined): Test<T> {
  if (input === undefined) throw new ConditionError(condition, 'the operator is for fields of another type');
  const problems = createProblems();
  const test = input.read(condition.value, 'value', problems);
  if (test === refused) throw new ConditionError(condition, JSON.stringify(problems.toFieldErrors()));
  return test;
}
