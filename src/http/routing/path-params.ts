import { type JsonSchema, schema } from '../../input/schema.ts';

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The values of a path by the names in its pattern: `/domain/{domain}` has `domain`. */
export type PathParams<Path extends string> = { readonly [Name in NamesIn<Path>]: string };

/** The schema of these values. */
export function paramsSchema(path: string): JsonSchema {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return schema.object(Object.fromEntries(names.map((name) => [name, schema.string()])));
}
