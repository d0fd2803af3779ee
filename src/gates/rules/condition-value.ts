import { type Input, into, refused } from '../../input/input.ts';
import { items, list } from '../../input/list.ts';
import { flag, integer, type Limit, text as textInput } from '../../input/scalar.ts';
import { storable } from '../../input/text-limits.ts';
import { compileRegex } from '../regex/regex.ts';

/** The longest list of `in` and `not_in`. */
export const maxListItems = 1000;

/** The longest string a condition compares with, in characters. */
export const maxValueLength = 1000;

const label = 'The value';

const filled: Limit<string> = {
  schema: { minLength: 1 },
  holds: (value) => value !== '',
  problem: () => `${label} must not be empty.`,
};

const short: Limit<string> = {
  schema: { maxLength: maxValueLength },
  holds: ({ length }) => length <= maxValueLength,
  problem: () => `${label} must not exceed ${maxValueLength} characters.`,
};

const anyText = textInput(label, [short, storable]);
/** Every text contains the empty string, so an empty part can only be a mistake. */
const somePart = textInput(label, [filled, short, storable]);
const anyInteger = integer(label);

function given<T>(input: Input<T>): Input<T> {
  return {
    ...input,
    read(value, path, problems) {
      if (value !== undefined) return input.read(value, path, problems);
      problems.add(path, `${label} is required.`);
      return refused;
    },
  };
}

const several = <T>(item: Input<T>): Input<readonly T[]> =>
  given(list(label, item, { limits: [items(1, maxListItems, `The list must have 1 to ${maxListItems} items.`)] }));

/** True or false. */
export const truth: Input<boolean> = given(flag(label));

export const wholeNumber: Input<number> = given(anyInteger);

export const wholeNumbers: Input<readonly number[]> = several(anyInteger);

export const text: Input<string> = given(anyText);

export const texts: Input<readonly string[]> = several(anyText);

/** A part of a text. */
export const part: Input<string> = given(somePart);

/** The id of a custom list. */
export const listId: Input<string> = given(somePart);

/** No value at all. */
export function noValue(operator: string): Input<undefined> {
  return {
    schema: {},
    read(value, path, problems) {
      if (value === undefined) return undefined;
      problems.add(path, `${operator} takes no value.`);
      return refused;
    },
  };
}

const isPair: Limit<unknown> = {
  schema: { minItems: 2, maxItems: 2 },
  holds: (value) => Array.isArray(value) && value.length === 2,
  problem: () => `${label} must be a list of two integers: [low, high].`,
};

const pair = list(label, anyInteger);

/** Two whole numbers, the first not greater than the second. */
export const range: Input<readonly [low: number, high: number]> = given({
  schema: { ...pair.schema, ...isPair.schema },
  read(value, path, problems) {
    if (!isPair.holds(value)) {
      problems.add(path, isPair.problem(label));
      return refused;
    }
    const read = pair.read(value, path, problems);
    if (read === refused) return refused;
    const [low = 0, high = 0] = read;
    if (low <= high) return [low, high];
    problems.add(path, 'The first number of the range must not be greater than the second.');
    return refused;
  },
});

/** A regular expression, read as its test. */
export const pattern: Input<(text: string) => boolean> = given(
  into(somePart, (source, path, problems) => {
    const regex = compileRegex(source);
    if (regex.ok) return regex.test;
    problems.add(path, regex.problem);
    return refused;
  }),
);
