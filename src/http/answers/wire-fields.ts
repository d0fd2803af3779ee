import { type JsonSchema, schema } from '../../input/schema.ts';
import type { Page } from '../page.ts';
import { wireTime } from '../wire-time.ts';
import { type Wire, type WireField, type WireObject, wireObject } from './wire-object.ts';

/** The fields of an object in order, by their names; a dot makes an object inside. */
export type WireFields<T> = Readonly<Record<string, WireField<T>>>;

/** Describes a JSON object by its fields: its schema, its body and its text follow from them. */
export function wireOf<T>(fields: WireFields<T>): WireObject<T> {
  return wireObject(Object.entries(fields).map(([path, field]) => ({ path, ...field })));
}

/** A field whose value is computed from the source. */
export function field<T>(described: JsonSchema, value: (source: T) => unknown): WireField<T> {
  return { schema: described, value };
}

/** Fields with the names and values of the source. */
export function same<T>(schemas: { readonly [Name in keyof T & string]?: JsonSchema }): WireFields<T> {
  const fields = Object.entries(schemas).map(([name, described]) => [
    name,
    field(described as JsonSchema, (source: T) => source[name as keyof T]),
  ]);
  return Object.fromEntries(fields);
}

/** A field that is left out where its value is undefined. */
export function optional<T>(field: WireField<T>): WireField<T> {
  return { ...field, isOptional: true };
}

/** A time in epoch milliseconds, written as text. */
export function time<T>(value: (source: T) => number, options: JsonSchema = {}): WireField<T> {
  return field(schema.string(options), (source) => wireTime(value(source)));
}

/** A time that may be unknown or absent. */
export function timeOrNull<T>(value: (source: T) => number | null, options: JsonSchema = {}): WireField<T> {
  return field(schema.nullable(schema.string(), options), (source) => {
    const epochMs = value(source);
    return epochMs === null ? null : wireTime(epochMs);
  });
}

/** A described value inside another. */
export function nested<T, S>(inner: Wire<S>, value: (source: T) => S, options: JsonSchema = {}): WireField<T> {
  return {
    schema: { ...inner.schema, ...options },
    value: (source) => inner.body(value(source)),
    text: (source) => inner.text(value(source)),
  };
}

/** A described value, or null. */
export function nestedOrNull<T, S>(
  inner: Wire<S>,
  value: (source: T) => S | null,
  options: JsonSchema = {},
): WireField<T> {
  return field(schema.nullable(inner.schema, options), (source) => {
    const found = value(source);
    return found === null ? null : inner.body(found);
  });
}

/** A described value, from a source of another form. */
export function wireFrom<T, S>(inner: WireObject<S>, convert: (source: T) => S): WireObject<T>;
export function wireFrom<T, S>(inner: Wire<S>, convert: (source: T) => S): Wire<T>;
export function wireFrom<T, S>(inner: Wire<S>, convert: (source: T) => S): Wire<T> {
  return {
    schema: inner.schema,
    body: (source) => inner.body(convert(source)),
    text: (source) => inner.text(convert(source)),
  };
}

/** A list of described values. */
export function listOf<S>(item: Wire<S>, options: JsonSchema = {}): Wire<readonly S[]> {
  return {
    schema: schema.array(item.schema, options),
    body: (sources) => sources.map(item.body),
    text: (sources) => `[${sources.map(item.text).join(',')}]`,
  };
}

/** `{"data": …}`. */
export function dataOf<T>(data: Wire<T>): Wire<T> {
  return wireOf<T>({ data: nested(data, (source) => source) });
}

/** A page of a list. */
export function pageOf<T>(item: Wire<T>): Wire<Page<T>> {
  return wireOf<Page<T>>({
    data: nested(listOf(item), ({ data }) => data),
    'meta.next_cursor': field(schema.nullable(schema.string()), ({ meta }) => meta.next_cursor),
  });
}
