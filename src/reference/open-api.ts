/** A JSON schema, as far as the endpoints use it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** A value in the path or the query. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
}

/** A body, and examples of it. */
export interface Content {
  readonly content?: {
    readonly 'application/json': {
      readonly schema: Schema;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
    };
  };
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
  readonly 'x-plan': 'any' | 'pro';
}

/** The parts of an OpenAPI document that the reference uses. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** An operation with where it is called. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Resources of Gates with a section of their own. */
const sections: Readonly<Record<string, string>> = {
  '/v1/waves': 'Waves',
  '/v1/outcomes': 'Outcomes',
  '/v1/lists': 'Lists',
  '/v1/webhooks': 'Webhooks',
};

/** Every operation, grouped by section, in the order of the document, with references resolved. */
export function callsBySection(document: OpenApi): ReadonlyMap<string, readonly Call[]> {
  const { paths } = withoutReferences(document, document);
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return Map.groupBy(calls, sectionOf);
}

function sectionOf({ path, operation }: Call): string {
  if (path.endsWith('/outcome')) return 'Outcomes';
  const prefix = Object.keys(sections).find((one) => path.startsWith(one));
  return (prefix && sections[prefix]) ?? operation.tags[0] ?? 'Other';
}

/** A part of a document with each `$ref` replaced by its target; no target of ours refers back. */
export function withoutReferences<T extends object>(document: OpenApi, part: T): T {
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    const target: unknown = Reflect.get(value, '$ref');
    if (typeof target === 'string') return resolve(at(document, target));
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
  };
  return resolve(part) as T;
}

function at(document: OpenApi, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((found, name) => Reflect.get(Object(found), name), document);
}
