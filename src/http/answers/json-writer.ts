import { isPlainObject } from '../../input/json-value.ts';
import type { JsonSchema } from '../../input/schema.ts';

type Shape = (value: unknown) => unknown;

/**
 * Writes values as JSON with only the properties that a schema names: undocumented data never leaves the service. Each writer is
 * compiled with its first value, because compiling all of them took a quarter of the start.
 */
export function jsonWriter(schema: JsonSchema): (value: unknown) => string {
  let shape: Shape | null = null;
  return (value) => {
    shape ??= shapeOf(schema);
    return JSON.stringify(shape(value));
  };
}

function shapeOf({ properties, additionalProperties = false, items }: JsonSchema): Shape {
  if (items !== undefined) return listOf(shapeOf(items as JsonSchema));
  return properties === undefined || additionalProperties !== false ? unchanged : objectOf(properties as Properties);
}

type Properties = Readonly<Record<string, JsonSchema>>;

const unchanged: Shape = (value) => value;

function listOf(item: Shape): Shape {
  return (value) => (Array.isArray(value) ? value.map(item) : value);
}

function objectOf(properties: Properties): Shape {
  const members = Object.entries(properties).map(([name, schema]) => ({ name, shape: shapeOf(schema) }));
  return (value) => {
    if (!isPlainObject(value)) return value;
    const shaped: Record<string, unknown> = {};
    for (const { name, shape } of members) shaped[name] = shape(value[name]);
    return shaped;
  };
}
