import { type TSchema, Type } from 'typebox';

/** A value that may be null, written so that the serialiser needs no branch test (`type: [T, "null"]`). */
export function nullable<T extends 'string' | 'integer' | 'number' | 'boolean'>(
  type: T,
  options: object = {},
): TSchema {
  return Type.Unsafe<unknown>({ type: [type, 'null'], ...options });
}

/** One of a few strings, in plain JSON Schema. */
export function oneOf(values: readonly string[], options: object = {}): TSchema {
  return Type.Unsafe<unknown>({ type: 'string', enum: [...values], ...options });
}
