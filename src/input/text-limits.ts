import { characterCount, isStorableText } from './json-value.ts';
import type { Limit } from './scalar.ts';

/** A number of characters, as a person counts them. */
export function characters(minimum: number, maximum: number): Limit<string> {
  return {
    schema: { minLength: minimum, maxLength: maximum },
    isKept(value) {
      const count = characterCount(value);
      return count >= minimum && count <= maximum;
    },
    problem: (label) => `${label} must have ${minimum} to ${maximum} characters.`,
  };
}

/** No more characters than that, as a person counts them. */
export function mostCharacters(maximum: number): Limit<string> {
  return {
    schema: { maxLength: maximum },
    isKept: (value) => characterCount(value) <= maximum,
    problem: (label) => `${label} must not have more than ${maximum} characters.`,
  };
}

/** Text that every database keeps as it is. */
export const storable: Limit<string> = {
  schema: {},
  isKept: isStorableText,
  problem: (label) => `${label} must be text without NUL characters.`,
};

/** Something visible; a name of blanks looks empty. */
export const notBlank: Limit<string> = {
  schema: { pattern: '\\S' },
  isKept: (value) => /[^\s\p{Cf}\p{Cc}]/u.test(value),
  problem: (label) => `${label} must not be blank.`,
};
