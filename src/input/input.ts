import type { Problems } from './problems.ts';
import { type JsonSchema, schema } from './schema.ts';

/** What a reader returns in place of a value; it has reported why. */
export const refused: unique symbol = Symbol('refused');
export type Refused = typeof refused;

/** One description of an input: the JSON Schema that documents it, and the reader that holds a value to it. */
export interface Input<T> {
  readonly schema: JsonSchema;
  /** A value exactly when nothing is wrong with it; otherwise every problem is reported, each by its path. */
  readonly read: (value: unknown, path: string, problems: Problems) => T | Refused;
}

/** The path of a part. */
export function pathOf(path: string, part: string | number): string {
  return path === '' ? String(part) : `${path}.${part}`;
}

/** What is made of the value that was read; the conversion may find problems of its own. */
export function into<T, U>(
  input: Input<T>,
  convert: (value: T, path: string, problems: Problems) => U | Refused,
): Input<U> {
  return {
    schema: input.schema,
    read(value, path, problems) {
      const read = input.read(value, path, problems);
      return read === refused ? refused : convert(read, path, problems);
    },
  };
}

/** The same input with other keywords in its schema (`description`, `examples` …). */
export function described<T>(input: Input<T>, keywords: JsonSchema): Input<T> {
  return { ...input, schema: { ...input.schema, ...keywords } };
}

/** Null, or what the input takes. */
export function nullable<T>(input: Input<T>): Input<T | null> {
  return {
    schema: schema.nullable(input.schema),
    read: (value, path, problems) => (value === null ? null : input.read(value, path, problems)),
  };
}

/** Whatever comes, for a reader further on to judge. */
export const anything: Input<unknown> = { schema: {}, read: (value) => value };
