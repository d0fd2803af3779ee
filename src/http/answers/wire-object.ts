import { type JsonSchema, type Properties, schema } from '../../input/schema.ts';

/** A property of a JSON object that is made from a `T`. */
export interface WireProperty<T> {
  /** Its name; a dot makes an object inside (`meta.request_id`). */
  readonly path: string;
  readonly schema: JsonSchema;
  readonly value: (source: T) => unknown;
  /** Its value as JSON text, where there is a faster way than `JSON.stringify`. */
  readonly text?: (source: T) => string;
}

/** What follows from the properties of a JSON object: its schema, its text, and the object itself. */
export interface WireObject<T> {
  readonly schema: JsonSchema;
  readonly text: (source: T) => string;
  readonly body: (source: T) => WireBody;
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
  return {
    schema: schema.object(schemasOf(root)),
    text(source) {
      let text = '';
      for (const { before, property } of leaves) text += before + textOf(property, source);
      return text + end;
    },
    body: (source) => bodyOf<T, P>(root, source),
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

function schemasOf(level: Level<{ readonly schema: JsonSchema }>): Properties {
  const schemas = [...level].map(([name, below]) => [
    name,
    below instanceof Map ? schema.object(schemasOf(below)) : below.property.schema,
  ]);
  return Object.fromEntries(schemas);
}

function bodyOf<T, P extends WireProperty<T>>(level: Level<P>, source: T): WireBody {
  const body: WireBody = {};
  for (const [name, below] of level) {
    body[name] = below instanceof Map ? bodyOf<T, P>(below, source) : below.property.value(source);
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
