import { comment, type Direction, key, members, type Schema, typescriptOfSchema } from './typescript-of-schema.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly examples?: Examples }>>;
}

/** An example by the code of its error; a shared one is a reference without a value. */
type Examples = Readonly<Record<string, { readonly value?: ErrorBody }>>;

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The parts of an OpenAPI document that a client needs. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly examples?: Examples;
  };
}

/** An error as an example shows it. */
interface ErrorBody {
  readonly error?: string;
  readonly message?: string;
}

const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** The TypeScript module of a client: the types of every operation, how to call it, and its error codes. `source` names the document. */
export function operationsModule(document: OpenApi, source: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return [
    `// Generated from ${source} by scripts/openapi.ts; do not edit, run: npm run openapi\n\n`,
    schemas(document),
    '/** The input and the response of each operation. */\n',
    `export interface Operations {\n${operations.map(({ operation }) => typesOf(operation)).join('')}}\n\n`,
    '/** How to call each operation, and which parts its response must have; null: it has no body. */\n',
    `export const operations = {\n${operations.map((one) => row(one)).join('')}} as const;\n`,
    errorCodes(document),
  ].join('');
}

/**
 * The code behind each text that lookups and the blocklist send in place of one, from the examples of their errors.
 * Texts that several codes share have none; numbers depend on the plan and are written as 0.
 */
function errorCodes({ components, paths }: OpenApi): string {
  const shared = components?.examples ?? {};
  const examples = Object.entries(shared).flatMap(([name, { value }]) => {
    const [, , code] = /^(lookup|blocklist)-(.+)$/.exec(name) ?? [];
    return code === undefined ? [] : [{ code, value }];
  });
  const pairs = [...examples, ...ownErrorExamples(paths)].flatMap(({ code, value: { error, message } = {} }) => {
    // A body with both carries its code in `error`.
    if ((error === undefined) === (message === undefined)) return [];
    // A code of ours may be one of several that Gates answers with the same code.
    return [{ text: `${error ?? message}`, code: shared[`gates-${code}`]?.value?.error ?? code }];
  });
  const lines = [...Map.groupBy(pairs, ({ text }) => text.replaceAll(/\d[\d,]*/g, '0'))].flatMap(([text, meanings]) => {
    const [code, ...others] = new Set(meanings.map((meaning) => meaning.code));
    return code === undefined || others.length > 0 ? [] : `  ${JSON.stringify(text)}: '${code}',\n`;
  });
  if (lines.length === 0) return '';
  return `\n/** The code that each text stands for where an error carries no code; a 0 is any number. */\nexport const errorCodes: Readonly<Record<string, string>> = {\n${lines.join('')}};\n`;
}

/** The errors that name a field, so that each operation has its own examples. The text of `validation_failed` varies. */
function ownErrorExamples(paths: OpenApi['paths']): { readonly code: string; readonly value?: ErrorBody }[] {
  const operations = Object.values(paths).flatMap((byMethod) => Object.values(byMethod));
  const failures = operations.flatMap(({ responses = {} }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Number(status) < 400 ? [] : Object.values(content),
    ),
  );
  return failures
    .flatMap(({ examples = {} }) => Object.entries(examples))
    .flatMap(([code, example]) => (code === 'validation_failed' ? [] : [{ code, ...example }]));
}

function schemas({ components }: OpenApi): string {
  const all = Object.entries(components?.schemas ?? {});
  if (all.length === 0) return '';
  const lines = all.map(
    ([name, schema]) => `${comment(schema, '  ')}  ${key(name)}: ${typescriptOfSchema(schema, 'answer', '  ')};\n`,
  );
  return `/** Objects that several operations share. */\nexport interface Schemas {\n${lines.join('')}}\n\n`;
}

function typesOf({ operationId, summary, parameters = [], requestBody, responses }: Operation): string {
  const parts = [
    parametersPart('path', parameters),
    parametersPart('query', parameters),
    part('body', requestBody && schemaOf(requestBody), 'input'),
    part('answer', schemaOf(successOf(responses)), 'answer') || '    answer: undefined;\n',
  ];
  return `${comment({ description: summary ?? '' }, '  ')}  ${key(operationId)}: {\n${parts.join('')}  };\n`;
}

function parametersPart(place: string, parameters: readonly Parameter[]): string {
  const here = parameters.filter((parameter) => parameter.in === place);
  if (here.length === 0) return '';
  const properties = Object.fromEntries(here.map(({ name, schema }) => [name, schema]));
  const required = here.filter((parameter) => parameter.required).map(({ name }) => name);
  return `    ${place}: {\n${members({ properties, required }, 'input', '      ')}    };\n`;
}

function part(name: string, schema: Schema | undefined, direction: Direction): string {
  return schema === undefined ? '' : `    ${name}: ${typescriptOfSchema(schema, direction, '    ')};\n`;
}

function row({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const answer = schemaOf(successOf(operation.responses));
  const needs =
    answer === undefined
      ? 'null'
      : `[${partsOf(answer)
          .map((name) => `'${name}'`)
          .join(', ')}]`;
  return `  ${key(operation.operationId)}: { method: '${method}', path: '${path}', needs: ${needs} },\n`;
}

/** The objects and lists that a response always has: callers access their properties, so a missing one would throw. */
function partsOf({ required = [], properties = {} }: Schema): string[] {
  return required.filter(
    (name) => ['object', 'array'].includes(String(properties[name]?.type)) || properties[name]?.$ref,
  );
}

const schemaOf = ({ content }: Content): Schema | undefined => content?.['application/json']?.schema;

function successOf(responses: Operation['responses']): Content {
  const success = Object.keys(responses).find((status) => status.startsWith('2'));
  return (success === undefined ? undefined : responses[success]) ?? {};
}
