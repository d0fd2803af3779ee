import type { Problems } from './problems.ts';
import { type JsonSchema, schema } from './schema.ts';

/** Returned in place of an invalid value; the reader has reported why. */
export const refused: unique symbol = Symbol('refused');
export type Refused = typeof refused;

/** One description of an input: the JSON Schema that documents it, and the reader that validates it. */
export interface Input<T> {
  readonly schema: JsonSchema;
  /** Returns the value, or `refused` after it has reported every problem by its path. */
  readonly read: (value: unknown, path: string, problems: Problems) => T | Refused;
  /** A request without a body counts as an empty object. */
  readonly mayBeAbsent?: true;
}

/** A body that a request may lack; every field of it is optional. */
export const optionalBody = <T>(input: Input<T>): Input<T> => ({ ...input, mayBeAbsent: true });

/** The path of a field or item inside another. */
export function pathOf(path: string, part: string | number): string {
  return path === '' ? String(part) : `${path}.${part}`;
}

/** Converts the value that an input reads; the conversion may report further problems. */
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

/** An input that also takes null. */
export function nullable<T>(input: Input<T>): Input<T | null> {
  return {
    schema: schema.nullable(input.schema),
    read: (value, path, problems) => (value === null ? null : input.read(value, path, problems)),
  };
}

/** Any value; the caller validates it. */
export const anything: Input<unknown> = { schema: {}, read: (value) => value };
