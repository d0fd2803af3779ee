import { characterCount, hasControlCharacters, isStorableText } from './json-value.ts';
import type { Limit } from './scalar.ts';

/** Limits the number of code points. */
export function characters(minimum: number, maximum: number): Limit<string> {
  return {
    schema: { minLength: minimum, maxLength: maximum },
    holds(value) {
      const count = characterCount(value);
      return count >= minimum && count <= maximum;
    },
    problem: (label) => `${label} must have ${minimum} to ${maximum} characters.`,
  };
}

/** Limits the number of code points from above. */
export function maxCharacters(maximum: number): Limit<string> {
  return {
    schema: { maxLength: maximum },
    holds: (value) => characterCount(value) <= maximum,
    problem: (label) => `${label} must not have more than ${maximum} characters.`,
  };
}

/** Text that every database stores unchanged. */
export const storable: Limit<string> = {
  schema: {},
  holds: isStorableText,
  problem: (label) => `${label} must be text without NUL characters and unpaired surrogates.`,
};

/** Text that pages, terminals and log lines show as it is. */
export const noControlCharacters: Limit<string> = {
  schema: {},
  holds: (value) => !hasControlCharacters(value),
  problem: (label) => `${label} must not contain control characters.`,
};

/** At least one visible character; a name of blanks looks empty. */
export const notBlank: Limit<string> = {
  schema: { pattern: '\\S' },
  holds: (value) => /[^\s\p{Cf}\p{Cc}]/u.test(value),
  problem: (label) => `${label} must not be blank.`,
};
