import type { Guides } from './guides.ts';
import type { Call, Schema } from './open-api.ts';

/** An entry that the search of the reference, and the console's palette, can find. */
export interface SearchEntry {
  readonly title: string;
  /** The route of an operation, or the guide that a heading is in. */
  readonly hint: string;
  /** From the root of the service. */
  readonly href: string;
  /** Further words: names of fields. */
  readonly words: string;
}

/** The entries of the search: operations, and the headings of guides. */
export function searchIndex(sections: ReadonlyMap<string, readonly Call[]>, guides: Guides): SearchEntry[] {
  const operations = [...sections.values()].flat().map(({ method, path, operation }) => ({
    title: operation.summary,
    hint: `${method} ${path}`,
    href: `docs#${operation.operationId}`,
    words: [...new Set([operation.operationId, ...fieldNames(operation)])].join(' '),
  }));
  const headings = Object.entries(guides).flatMap(([name, { title, headings: inside }]) => [
    { title, hint: 'Guide', href: `docs/${name}`, words: '' },
    ...inside.map(({ id, text }) => ({ title: text, hint: title, href: `docs/${name}#${id}`, words: '' })),
  ]);
  return [...operations, ...headings];
}

function fieldNames({ parameters, requestBody, responses }: Call['operation']): string[] {
  const bodies = [requestBody, ...Object.entries(responses).flatMap(([status, body]) => (status < '3' ? [body] : []))];
  const schemas = bodies.map((body) => body?.content?.['application/json'].schema);
  return [...parameters.map(({ name }) => name), ...schemas.flatMap((schema) => (schema ? namesIn(schema) : []))];
}

function namesIn({ properties = {}, items }: Schema): string[] {
  const inside = Object.entries(properties).flatMap(([name, schema]) => [name, ...namesIn(schema)]);
  return items === undefined ? inside : [...inside, ...namesIn(items)];
}
