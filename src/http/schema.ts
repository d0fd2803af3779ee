import type { JsonSchema } from '../input/input.ts';

export type { JsonSchema };

/** A property that may be missing. */
export class Optional {
  readonly schema: JsonSchema;
  constructor(schema: JsonSchema) {
    this.schema = schema;
  }
}

/** The properties of an object. */
export type Properties = Readonly<Record<string, JsonSchema | Optional>>;

/** JSON Schema in few words; `options` are its other keywords (`description`, `minimum` …). */
export const schema = {
  string: (options: JsonSchema = {}): JsonSchema => ({ type: 'string', ...options }),
  integer: (options: JsonSchema = {}): JsonSchema => ({ type: 'integer', ...options }),
  number: (options: JsonSchema = {}): JsonSchema => ({ type: 'number', ...options }),
  boolean: (options: JsonSchema = {}): JsonSchema => ({ type: 'boolean', ...options }),
  array: (items: JsonSchema, options: JsonSchema = {}): JsonSchema => ({ type: 'array', items, ...options }),
  optional: (property: JsonSchema): Optional => new Optional(property),
  /** Every property may be missing. */
  partial: (properties: Properties): Record<string, Optional> =>
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        property instanceof Optional ? property : new Optional(property),
      ]),
    ),
  object(properties: Properties, options: JsonSchema = {}): JsonSchema {
    const entries = Object.entries(properties);
    const required = entries.filter(([, property]) => !(property instanceof Optional)).map(([name]) => name);
    return {
      type: 'object',
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(
        entries.map(([name, property]) => [name, property instanceof Optional ? property.schema : property]),
      ),
      ...options,
    };
  },
};

/** A value that may be null, written so that whoever writes by it has no alternatives to try (`type: [T, "null"]`). */
export function nullable(type: 'string' | 'integer' | 'number' | 'boolean', options: JsonSchema = {}): JsonSchema {
  return { type: [type, 'null'], ...options };
}

/** One of a few strings. */
export function oneOf(values: readonly string[], options: JsonSchema = {}): JsonSchema {
  return { type: 'string', enum: [...values], ...options };
}
