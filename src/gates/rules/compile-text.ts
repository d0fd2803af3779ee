import type { Condition } from './condition.ts';
import { ConditionError, textOf, textsOf } from './condition-value.ts';
import type { Operator } from './operators.ts';
import { compileRegex } from './regex.ts';

/** The test of one text that a string condition stands for. */
export interface TextTest {
  /** The positive test. */
  readonly test: (text: string) => boolean;
  /** The condition holds when the positive test does not: for a text, or for every text of a list. */
  readonly negated: boolean;
  /** The test wants the text as it is; otherwise in lower case. */
  readonly raw: boolean;
}

/** Compiles the value of a string condition; strings are compared in lower case, made so once. */
export function compileText(condition: Condition): TextTest {
  const positive = positiveTwins.get(condition.operator);
  const negated = positive !== undefined;
  const operator = positive ?? condition.operator;
  if (operator === 'matches') {
    const regex = compileRegex(textOf(condition));
    if (!regex.ok) throw new ConditionError(condition, regex.problem);
    return { test: regex.test, negated, raw: true };
  }
  return { test: loweredTest(condition, operator), negated, raw: false };
}

/** Each `not_…` operator and the positive one it denies. */
const positiveTwins: ReadonlyMap<Operator, Operator> = new Map([
  ['not_equals', 'equals'],
  ['not_in', 'in'],
  ['not_contains', 'contains'],
  ['not_matches', 'matches'],
]);

function loweredTest(condition: Condition, operator: Operator): (text: string) => boolean {
  if (operator === 'in') {
    const set = new Set(textsOf(condition).map((item) => item.toLowerCase()));
    return (text) => set.has(text);
  }
  const value = textOf(condition).toLowerCase();
  switch (operator) {
    case 'equals':
      return (text) => text === value;
    case 'contains':
      return (text) => text.includes(value);
    case 'starts_with':
      return (text) => text.startsWith(value);
    case 'ends_with':
      return (text) => text.endsWith(value);
    default:
      throw new ConditionError(condition, 'no such operator for a string');
  }
}
