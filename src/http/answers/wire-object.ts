import { type JsonSchema, type Properties, schema } from '../../input/schema.ts';

/** A described text in JSON. */
export interface WireText<T> {
  readonly schema: JsonSchema;
  readonly text: (source: T) => string;
}

/** A JSON value that is described once: its schema, its text, and the value itself. */
export interface Wire<T> extends WireText<T> {
  readonly body: (source: T) => unknown;
}

/** A described JSON object. */
export interface WireObject<T> extends Wire<T> {
  readonly body: (source: T) => WireBody;
}

/** A property of a JSON object that is made from a `T`. */
export interface WireField<T> {
  readonly schema: JsonSchema;
  readonly value: (source: T) => unknown;
  /** Its value as JSON text, where there is a faster way than `JSON.stringify`. */
  readonly text?: (source: T) => string;
  /** The property is left out where its value is undefined. */
  readonly isOptional?: true;
}

/** A property with its name. */
export interface WireProperty<T> extends WireField<T> {
  /** A dot makes an object inside (`meta.request_id`). */
  readonly path: string;
}

/** An object that is going to be written as JSON. */
export interface WireBody {
  [name: string]: unknown;
}

/** The names of one level: each is a property, or has names below it. */
type Level<P> = Map<string, Leaf<P> | Level<P>>;

/** A property, and the JSON text before its value. */
interface Leaf<P> {
  readonly property: P;
  before: string;
}

/** Describes a JSON object by its properties; `textOf` writes one of them. All text but the values is prepared. */
export function wireObject<T, P extends WireProperty<T> = WireProperty<T>>(
  properties: readonly P[],
  textOf: (property: P, source: T) => string = propertyText,
): WireObject<T> {
  const root = levelsOf(properties);
  const leaves: Leaf<P>[] = [];
  const end = prepare(root, '', leaves);
  const body = (source: T): WireBody => bodyOf<T, P>(root, source);
  // The comma before a property depends on those before it that are left out.
  if (properties.some(({ isOptional }) => isOptional)) {
    return { schema: schema.object(schemasOf(root)), text: (source) => JSON.stringify(body(source)), body };
  }
  return {
    schema: schema.object(schemasOf(root)),
    text(source) {
      let text = '';
      for (const { before, property } of leaves) text += before + textOf(property, source);
      return text + end;
    },
    body,
  };
}

function propertyText<T>({ text, value }: WireProperty<T>, source: T): string {
  return text === undefined ? JSON.stringify(value(source)) : text(source);
}

function levelsOf<P extends { readonly path: string }>(properties: readonly P[]): Level<P> {
  const root: Level<P> = new Map();
  for (const property of properties) {
    const names = property.path.split('.');
    const last = names.pop() ?? '';
    let level = root;
    for (const name of names) {
      const known = level.get(name);
      const inner: Level<P> = known instanceof Map ? known : new Map();
      level.set(name, inner);
      level = inner;
    }
    level.set(last, { property, before: '' });
  }
  return root;
}

function schemasOf(level: Level<Pick<WireField<never>, 'schema' | 'isOptional'>>): Properties {
  const schemas = [...level].map(([name, below]) => [
    name,
    below instanceof Map ? schema.object(schemasOf(below)) : schemaOf(below.property),
  ]);
  return Object.fromEntries(schemas);
}

const schemaOf = (property: Pick<WireField<never>, 'schema' | 'isOptional'>) =>
  property.isOptional ? schema.optional(property.schema) : property.schema;

function bodyOf<T, P extends WireProperty<T>>(level: Level<P>, source: T): WireBody {
  const body: WireBody = {};
  for (const [name, below] of level) {
    const value = below instanceof Map ? bodyOf<T, P>(below, source) : below.property.value(source);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

/** Adds the properties of a level to the leaves, each with the text before it; returns the text after the last. */
function prepare<P>(level: Level<P>, before: string, leaves: Leaf<P>[]): string {
  let text = `${before}{`;
  for (const [name, below] of level) {
    text += `${JSON.stringify(name)}:`;
    if (below instanceof Map) text = prepare(below, text, leaves);
    else {
      below.before = text;
      leaves.push(below);
      text = '';
    }
    text += ',';
  }
  return `${text.slice(0, -1)}}`;
}
