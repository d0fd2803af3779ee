import { type Input, refused } from './input.ts';
import { type JsonSchema, schema } from './schema.ts';

/** A constraint on a value besides its type. */
export interface Limit<T> {
  /** The JSON Schema keywords for it, as far as they can express it. */
  readonly schema: JsonSchema;
  readonly holds: (value: T) => boolean;
  /** The message about a value that violates it; it starts with `label` ("The name"). */
  readonly problem: (label: string) => string;
}

/** A string; the first violated limit is reported. */
export function text(label: string, limits: readonly Limit<string>[] = [], expected = 'a string'): Input<string> {
  return {
    schema: schema.string(keywordsOf(limits)),
    read(value, path, problems) {
      if (typeof value !== 'string') {
        problems.add(path, `${label} must be ${expected}.`);
        return refused;
      }
      const broken = limits.find((limit) => !limit.holds(value));
      if (broken === undefined) return value;
      problems.add(path, broken.problem(label));
      return refused;
    },
  };
}

/** The JSON Schema keywords of several limits. */
export function keywordsOf(limits: readonly Limit<never>[]): JsonSchema {
  return Object.assign({}, ...limits.map((limit) => limit.schema));
}

/** A safe integer, within bounds where there are any. */
export function integer(
  label: string,
  { minimum, maximum }: { readonly minimum?: number; readonly maximum?: number } = {},
): Input<number> {
  const bounds =
    minimum === undefined ? '' : maximum === undefined ? `, ${minimum} or greater` : ` from ${minimum} to ${maximum}`;
  return {
    schema: schema.integer({
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    }),
    read(value, path, problems) {
      if (typeof value === 'number' && Number.isSafeInteger(value)) {
        if (value >= (minimum ?? value) && value <= (maximum ?? value)) return value;
      }
      problems.add(path, `${label} must be an integer${bounds}.`);
      return refused;
    },
  };
}

/** True or false. */
export function flag(label: string): Input<boolean> {
  return {
    schema: schema.boolean(),
    read(value, path, problems) {
      if (typeof value === 'boolean') return value;
      problems.add(path, `${label} must be true or false.`);
      return refused;
    },
  };
}

/** One of a few words. */
export function choice<T extends string>(label: string, words: readonly T[]): Input<T> {
  return {
    schema: schema.oneOf(words),
    read(value, path, problems) {
      const found = words.find((word) => word === value);
      if (found !== undefined) return found;
      problems.add(path, `${label} must be one of: ${words.join(', ')}.`);
      return refused;
    },
  };
}
