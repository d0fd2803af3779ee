import { type Input, refused } from '../../input/input.ts';
import { createProblems } from '../../input/problems.ts';
import { acceptedRegex } from '../regex/regex.ts';
import { noBudget, type RegexBudget } from '../regex/regex-budget.ts';
import type { Condition } from './condition.ts';
import { type FieldValues, type ValueLists, type ValuePlace, valueAt } from './field-values.ts';
import { type Field, findField } from './fields.ts';
import { type ListHandle, type ListHandles, listIdOf } from './list-condition.ts';
import { type Bounds, findOperator, type Test } from './operators.ts';

/** A condition that cannot be compiled: it was never validated, or was kept by a version with other fields. */
class ConditionError extends Error {
  constructor({ field, operator }: Condition, reason: string) {
    super(`The condition on ${field} (${operator}) cannot be compiled: ${reason}`);
    this.name = 'ConditionError';
  }
}

export interface Check extends ValuePlace {
  readonly holdsOnUnknown: boolean;
  /** Whether it holds for a known value, whose type is that of the field. */
  readonly holdsOn: (actual: never) => boolean;
  /** The same for a number, where that is all there is to it: without a call 20 rules of 3 conditions take 1.09 instead of 1.16 µs. */
  readonly bounds: Bounds | null;
  /** The rest of its compilation. */
  readonly steps: Test<never>['steps'];
  /** The custom list that it compares with; null where it compares with something else. */
  readonly customList: ListHandle | null;
  /** The number and result of the last evaluation that tested it: rules often share a condition, which is then tested once. */
  askedIn: number;
  held: boolean;
}

/** Whether a condition holds for the values of the evaluation with this number. */
export function holdsFor(check: Check, values: ValueLists, evaluation: number): boolean {
  if (check.askedIn === evaluation) return check.held;
  const { bounds } = check;
  const actual = valueAt(values, check);
  check.askedIn = evaluation;
  if (actual === null) check.held = check.holdsOnUnknown;
  else if (bounds !== null) check.held = (actual as number) >= bounds.low && (actual as number) <= bounds.high;
  else check.held = check.holdsOn(actual as never);
  return check.held;
}

/**
 * Turns a condition into a check. Unknown is not false: only `is_unknown` holds on a field that is null, and a regular
 * expression for which the budget has no time leaves its condition unknown: with a budget, its first test compiles it.
 */
export function compileCondition(
  condition: Condition,
  values: FieldValues,
  budget: RegexBudget,
  lists: ListHandles,
): Check {
  const field = findField(condition.field);
  if (field === undefined) throw new ConditionError(condition, 'there is no such field');
  const row = findOperator(condition.operator);
  if (row === undefined) throw new ConditionError(condition, 'there is no such operator');
  const { isNegated = false, holdsOnUnknown = false, keepsText = false, isPattern = false } = row;
  if (row.isList === true) return compileListCondition(listOf(condition, lists), field, isNegated, values);
  const checkOf = <T>(holdsOn: Test<T>, steps?: Test<never>['steps']): Check => ({
    ...values.placeOf(field, keepsText),
    holdsOnUnknown,
    holdsOn,
    bounds: holdsOn.bounds ?? null,
    steps,
    customList: null,
    askedIn: 0,
    held: false,
  });
  const plain = <T>(test: Test<T>, { steps }: Test<never> = test): Check =>
    checkOf(isNegated ? (actual: T) => !test(actual) : test, steps);
  const matches = (text: string, test: Test<string>): Outcome => (budget.allows() ? test(text) : null);
  const textTest = (input: Input<Test<string>> | undefined): Test<string> =>
    isPattern && budget !== noBudget ? acceptedRegex(String(condition.value)) : testOf(condition, input);
  switch (field.type) {
    case 'boolean':
      return plain(testOf(condition, row.boolean));
    case 'integer':
      return plain(testOf(condition, row.integer));
    case 'string': {
      const test = textTest(row.string?.[field.kind]);
      if (!isPattern) return plain(test);
      return checkOf((text: string) => matches(text, test) === !isNegated);
    }
    case 'string[]': {
      const test = textTest(row['string[]']?.[field.kind]);
      if (!isPattern) return plain((texts: readonly string[]) => texts.some(test), test);
      return checkOf((texts: readonly string[]) => firstToMatch(texts, (text) => matches(text, test)) === !isNegated);
    }
  }
}

/** Email lists hold normalised addresses, whichever form of the address the condition names. */
const normalisedAddress = findField('email.normalized') as Field;

function listOf(condition: Condition, lists: ListHandles): ListHandle {
  const list = lists.get(listIdOf(condition) ?? '');
  if (list === undefined) throw new ConditionError(condition, 'the list was not loaded');
  return list;
}

/** Neither operator holds while the list is unknown. */
function compileListCondition(list: ListHandle, field: Field, isNegated: boolean, values: FieldValues): Check {
  const has = (actual: string | number | readonly string[]): boolean | null => {
    const { members } = list;
    if (members === null) return null;
    if (typeof actual === 'string') return members.has(actual);
    return typeof actual === 'number' ? members.has(String(actual)) : actual.some((text) => members.has(text));
  };
  return {
    ...values.placeOf(list.members?.kind === 'email' ? normalisedAddress : field, false),
    holdsOnUnknown: false,
    holdsOn: (actual: string | number | readonly string[]) => has(actual) === !isNegated,
    bounds: null,
    steps: undefined,
    customList: list,
    askedIn: 0,
    held: false,
  };
}

/** Whether a text matches; null when the time budget was spent. */
type Outcome = boolean | null;

function firstToMatch(texts: readonly string[], matches: (text: string) => Outcome): Outcome {
  for (const text of texts) {
    const outcome = matches(text);
    if (outcome !== false) return outcome;
  }
  return false;
}

function testOf<T>(condition: Condition, input: Input<Test<T>> | undefined): Test<T> {
  if (input === undefined) throw new ConditionError(condition, 'the operator is for fields of another type');
  const problems = createProblems();
  const test = input.read(condition.value, 'value', problems);
  if (test === refused) throw new ConditionError(condition, JSON.stringify(problems.toFieldErrors()));
  return test;
}
