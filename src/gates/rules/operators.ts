import { type Input, into } from '../../input/input.ts';
import * as values from './condition-value.ts';
import { type TextForm, type TextKind, textForms } from './text-form.ts';

/** Whether a field's value satisfies a condition. */
export interface Test<Actual> {
  (actual: Actual): boolean;
  /** The rest of its compilation, in short steps. */
  readonly steps?: () => Iterable<void>;
  /** The range of numbers that pass, if the test is a range. */
  readonly bounds?: Bounds;
}

/** The lowest and the highest of a range of numbers. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** The inputs of an operator on texts: the test depends on what the field's text names, the values it takes do not. */
export type TextTests = Readonly<Record<TextKind, Input<Test<string>>>>;

/** For each type of field that an operator takes, the input that reads a condition's value and makes the test of it. */
interface Tests {
  readonly boolean?: Input<Test<boolean>>;
  readonly integer?: Input<Test<number>>;
  readonly string?: TextTests;
  /** The test of one element: the condition holds when any element passes. */
  readonly 'string[]'?: TextTests;
}

/** The type of a condition field. */
export type FieldType = keyof Tests;

/** An operator: how it reads its value, what it tests, and where that differs from the usual. */
export interface OperatorRow extends Tests {
  /** Its label in the rule editor, between the field and the value: "is between". */
  readonly label: string;
  /** The condition holds when the test fails; on a list, when every element fails it. */
  readonly isNegated?: boolean;
  /** Texts are tested as they are, not in the form in which texts are compared. */
  readonly keepsText?: boolean;
  /** Whether the condition holds on a field that is unknown; without it that cannot be said, and the condition does not hold. */
  readonly holdsOnUnknown?: boolean;
  /** Its value is a regular expression: the most expensive test, for which a decision has a time budget. */
  readonly isPattern?: boolean;
  /** Its value is the id of a custom list; a field takes it if a kind of list fits, whatever its type. */
  readonly isList?: boolean;
}

const negated = { isNegated: true } as const;

/** One for each type, so that the engine compiles each for its type of value. */
const equalTruth = (value: boolean) => (actual: boolean) => actual === value;
const equalText = (value: string) => (actual: string) => actual === value;

/** Every comparison of whole numbers is a range of them. */
function within(low: number, high: number): Test<number> {
  return Object.assign((actual: number) => actual >= low && actual <= high, { bounds: { low, high } });
}

function among<T>(all: readonly T[]): Test<T> {
  const set = new Set(all);
  return (actual) => set.has(actual);
}

/** A list may have a thousand internationalised names, whose conversion would block other requests. */
function amongForms(texts: readonly string[], whole: TextForm['whole']): Test<string> {
  const set = new Set<string>();
  function* steps() {
    for (const text of texts) {
      set.add(whole(text));
      yield;
    }
  }
  return Object.assign((actual: string) => set.has(actual), { steps });
}

/** Creates the tests for each kind of text, and for lists of texts. */
function ofTexts(testIn: (form: TextForm) => Input<Test<string>>) {
  const { plain, name, email, ip } = textForms;
  const tests: TextTests = { plain: testIn(plain), name: testIn(name), email: testIn(email), ip: testIn(ip) };
  return { string: tests, 'string[]': tests };
}

const equality = {
  integer: into(values.wholeNumber, (number) => within(number, number)),
  ...ofTexts(({ whole }) => into(values.text, (text) => equalText(whole(text)))),
};

const membership = {
  integer: into(values.wholeNumbers, among),
  ...ofTexts(({ whole }) => into(values.texts, (texts) => amongForms(texts, whole))),
};

/** Nearly every part has one possible form only. */
function containsOneOf(parts: readonly string[]): Test<string> {
  const [part = ''] = parts;
  return parts.length === 1 ? (text) => text.includes(part) : (text) => parts.some((each) => text.includes(each));
}

const containment = ofTexts(({ parts }) => into(values.part, (part) => containsOneOf(parts(part))));

const startsWith = (start: string) => (text: string) => text.startsWith(start);
const endsWith = (end: string) => (text: string) => text.endsWith(end);

const matching = { ...ofTexts(() => values.pattern), keepsText: true, isPattern: true } as const;

/** No known value passes; `is_known` is the negation. */
function presence(name: string) {
  const nothingPasses = into(values.noValue(name), () => () => false);
  return { boolean: nothingPasses, integer: nothingPasses, ...ofTexts(() => nothingPasses) };
}

/** Every operator, in the order of the documentation; a row defines one completely. */
const operators = {
  equals: { label: 'is', boolean: into(values.truth, equalTruth), ...equality },
  not_equals: { label: 'is not', ...equality, ...negated },
  in: { label: 'is one of', ...membership },
  not_in: { label: 'is none of', ...membership, ...negated },
  in_list: { label: 'is on the list', isList: true },
  not_in_list: { label: 'is not on the list', isList: true, ...negated },
  contains: { label: 'contains', ...containment },
  not_contains: { label: 'does not contain', ...containment, ...negated },
  starts_with: {
    label: 'starts with',
    ...ofTexts(({ start }) => into(values.part, (part) => startsWith(start(part)))),
  },
  ends_with: { label: 'ends with', ...ofTexts(({ end }) => into(values.part, (part) => endsWith(end(part)))) },
  matches: { label: 'matches', ...matching },
  not_matches: { label: 'does not match', ...matching, ...negated },
  greater_than: {
    label: 'is more than',
    integer: into(values.wholeNumber, (limit) => within(limit + 1, Number.POSITIVE_INFINITY)),
  },
  greater_than_or_equal: {
    label: 'is at least',
    integer: into(values.wholeNumber, (limit) => within(limit, Number.POSITIVE_INFINITY)),
  },
  less_than: {
    label: 'is less than',
    integer: into(values.wholeNumber, (limit) => within(Number.NEGATIVE_INFINITY, limit - 1)),
  },
  less_than_or_equal: {
    label: 'is at most',
    integer: into(values.wholeNumber, (limit) => within(Number.NEGATIVE_INFINITY, limit)),
  },
  between: { label: 'is between', integer: into(values.range, ([low, high]) => within(low, high)) },
  is_known: { label: 'is known', ...presence('is_known'), ...negated, holdsOnUnknown: false },
  is_unknown: { label: 'is unknown', ...presence('is_unknown'), holdsOnUnknown: true },
} as const satisfies Readonly<Record<string, OperatorRow>>;

/** How a condition compares its field with its value. */
export type Operator = keyof typeof operators;

/** Every operator, in the order of the documentation. */
export const operatorNames = Object.keys(operators) as Operator[];

const ofType = (type: FieldType): readonly Operator[] => operatorNames.filter((name) => type in operators[name]);

/** The operators a condition may use, by the type of its field; those on custom lists depend on the field itself. */
export const operatorsByType: Readonly<Record<FieldType, readonly Operator[]>> = {
  boolean: ofType('boolean'),
  string: ofType('string'),
  integer: ofType('integer'),
  'string[]': ofType('string[]'),
};

/** The operators on custom lists. */
export const listOperators: readonly Operator[] = operatorNames.filter((name) => findOperator(name).isList === true);

/** The operator with that name, if there is one. */
export function findOperator(name: Operator): OperatorRow;
export function findOperator(name: string): OperatorRow | undefined;
export function findOperator(name: string): OperatorRow | undefined {
  return Object.hasOwn(operators, name) ? operators[name as Operator] : undefined;
}
