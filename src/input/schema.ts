/** A JSON Schema, from which the reference documentation and the serialiser are made. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A property that may be missing. */
export class OptionalProperty {
  readonly schema: JsonSchema;
  constructor(schema: JsonSchema) {
    this.schema = schema;
  }
}

/** The properties of an object. */
export type Properties = Readonly<Record<string, JsonSchema | OptionalProperty>>;

/** The one set of JSON Schema builders, for inputs and responses; `options` are other keywords (`description`, `minimum` …). */
export const schema = {
  string: (options: JsonSchema = {}): JsonSchema => ({ type: 'string', ...options }),
  integer: (options: JsonSchema = {}): JsonSchema => ({ type: 'integer', ...options }),
  number: (options: JsonSchema = {}): JsonSchema => ({ type: 'number', ...options }),
  boolean: (options: JsonSchema = {}): JsonSchema => ({ type: 'boolean', ...options }),
  /** One of a few strings. */
  oneOf: (values: readonly string[], options: JsonSchema = {}): JsonSchema => ({
    type: 'string',
    enum: [...values],
    ...options,
  }),
  array: (items: JsonSchema, options: JsonSchema = {}): JsonSchema => ({ type: 'array', items, ...options }),
  /** Null or the value, as `type: [T, "null"]`: a serialiser then has no alternatives to try. */
  nullable: (value: JsonSchema, options: JsonSchema = {}): JsonSchema => ({
    ...value,
    type: [value.type, 'null'],
    ...(Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {}),
    ...options,
  }),
  optional: (property: JsonSchema): OptionalProperty => new OptionalProperty(property),
  /** The same properties, each of which may be missing. */
  partial: (properties: Properties): Record<string, OptionalProperty> =>
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        property instanceof OptionalProperty ? property : new OptionalProperty(property),
      ]),
    ),
  object(properties: Properties, options: JsonSchema = {}): JsonSchema {
    const entries = Object.entries(properties);
    const required = entries.filter(([, property]) => !(property instanceof OptionalProperty)).map(([name]) => name);
    return {
      type: 'object',
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(
        entries.map(([name, property]) => [name, property instanceof OptionalProperty ? property.schema : property]),
      ),
      ...options,
    };
  },
  /** An object schema with more properties, all of them required. */
  extend(base: JsonSchema, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
    return {
      ...base,
      required: [base.required ?? [], Object.keys(properties)].flat(),
      properties: { ...Object(base.properties), ...properties },
    };
  },
  /** An object with any property names, whose values all have one schema. */
  record: (value: JsonSchema, options: JsonSchema = {}): JsonSchema => ({
    type: 'object',
    additionalProperties: value,
    ...options,
  }),
};
