import { AppError, type ErrorCode, errorTable, lookupText } from '../errors.ts';
import type { JsonSchema } from '../input/schema.ts';
import { mayBeRefused } from './account-work.ts';
import { type Endpoint, type Family, isForPages, isPublic, laneOf } from './endpoint.ts';
import { errorAnswer, errorSchema, statusOf } from './error-shapes.ts';

/** The codes that any endpoint of any family may answer. */
const everywhere: readonly ErrorCode[] = [
  'key_required',
  'unauthorized',
  'publishable_key',
  'ip_blocked',
  'rate_limit_exceeded',
  'server_error',
  'service_unavailable',
];

/** Pages have another kind of key, and limits of their own. */
const notForPages: readonly ErrorCode[] = ['publishable_key', 'rate_limit_exceeded'];

const tags: Readonly<Record<Family, string>> = {
  lookup: 'Lookups and status',
  blocklist: 'Blocklist',
  gates: 'Gates',
  'gates-v0': 'Gates, v0',
};

const families = Object.keys(tags) as Family[];

/** A recorded call of an endpoint and its response. */
export interface CallExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer?: unknown;
}

/** Examples by the `operationId` they belong to. */
export type CallExamples = Readonly<Record<string, CallExample>>;

/** The OpenAPI 3.1 document of the service, generated from its public endpoints, with the recorded examples. */
export function openApiDocument(served: readonly Endpoint[], version: string, examples: CallExamples = {}): object {
  const endpoints = served.filter(isPublic);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signalpost',
      version,
      description: 'Email and domain signals, a custom blocklist, and Gates: rules that allow, block or challenge.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that served this document' }],
    security: [{ key: [] }],
    paths: pathsOf(endpoints, (endpoint) => operation(endpoint, examples)),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer KEY' },
        publishable: {
          type: 'http',
          scheme: 'bearer',
          description: 'Authorization: Bearer sp_pub_…, from a page of an origin of the key',
        },
      },
      schemas: Object.fromEntries(families.map((family) => [`${family}-error`, errorSchema(family)])),
      examples: errorExamples(endpoints),
    },
  };
}

/** The paths of a document: the operations of endpoints by path and method. */
export function pathsOf(
  endpoints: readonly Endpoint[],
  describe: (endpoint: Endpoint) => object,
): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const each of endpoints) {
    paths[each.path] = { ...paths[each.path], [each.method.toLowerCase()]: describe(each) };
  }
  return paths;
}

function operation(endpoint: Endpoint, examples: CallExamples): object {
  const { description } = endpoint;
  const { operationId, summary, responses, ...input } = callPart(endpoint, examples[endpoint.operationId]);
  return {
    operationId,
    tags: [tags[endpoint.family]],
    summary,
    ...(description === undefined ? {} : { description }),
    ...input,
    responses: { ...responses, ...errorResponses(endpoint) },
    ...(isForPages(endpoint) ? { security: [{ publishable: [] }] } : {}),
    'x-plan': endpoint.plan,
  };
}

/** The input of an endpoint and its successful response. */
export function callPart({ operationId, summary, status = 200, schemas }: Endpoint, example: CallExample = {}) {
  const { params, query, body, isBodyOptional = false, response } = schemas;
  return {
    operationId,
    summary,
    parameters: [...parameters(params, 'path', example.params), ...parameters(query, 'query', example.query)],
    ...(body === undefined ? {} : { requestBody: { required: !isBodyOptional, content: json(body, example.body) } }),
    responses: {
      [status]: {
        description: 'Success',
        ...(response === undefined ? {} : { content: json(response, example.answer) }),
      },
    },
  };
}

function json(schema: JsonSchema, example: unknown): object {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

function parameters(
  schema: JsonSchema | undefined,
  place: 'path' | 'query',
  examples: Readonly<Record<string, string>> = {},
): object[] {
  const object = schema as { properties?: Record<string, { description?: string }>; required?: string[] } | undefined;
  return Object.entries(object?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (object?.required ?? []).includes(name),
    ...(property.description === undefined ? {} : { description: property.description }),
    schema: property,
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }));
}

function errorCodes(endpoint: Endpoint): Set<ErrorCode> {
  const codes = new Set<ErrorCode>([...everywhere, ...endpoint.errors]);
  if (isForPages(endpoint)) for (const code of notForPages) codes.delete(code);
  if (endpoint.plan === 'pro') codes.add('pro_only');
  if (mayBeRefused(laneOf(endpoint))) codes.add('account_busy');
  if (endpoint.chargeable) codes.add('quota_exceeded');
  if (endpoint.schemas.body !== undefined) codes.add('payload_too_large');
  return codes;
}

function errorResponses(endpoint: Endpoint): Record<number, object> {
  const { family } = endpoint;
  const byStatus = Map.groupBy(errorCodes(endpoint), (code) => statusOf(code, family));
  const responses = [...byStatus].map(([status, codes]): [number, object] => {
    const examples = Object.fromEntries(codes.map((code) => [code, errorExample(code, endpoint)]));
    const schema = { $ref: `#/components/schemas/${family}-error` };
    const [first = 'server_error'] = codes;
    return [status, { description: lookupText(first), content: { 'application/json': { schema, examples } } }];
  });
  return Object.fromEntries(responses);
}

/** An error that names fields depends on the input; every other error looks the same throughout its family. */
function errorExample(code: ErrorCode, { family, schemas }: Endpoint): object {
  if (!namesFields(code, family)) return { $ref: `#/components/examples/${exampleName(code, family)}` };
  const [field = 'body'] = Object.keys(Object((schemas.body ?? schemas.query)?.properties));
  const problem = code === 'validation_failed' ? `The ${field} field is required.` : errorTable[code].message;
  return exampleOf(new AppError(code, { errors: { [field]: [problem] } }), family);
}

/** Every 422 of the blocklist names its field. */
const namesFields = (code: ErrorCode, family: Family): boolean =>
  code === 'validation_failed' || (family === 'blocklist' && statusOf(code, family) === 422);

function errorExamples(endpoints: readonly Endpoint[]): Record<string, object> {
  const examples: Record<string, object> = {};
  for (const endpoint of endpoints) {
    for (const code of errorCodes(endpoint)) {
      if (namesFields(code, endpoint.family)) continue;
      examples[exampleName(code, endpoint.family)] = exampleOf(new AppError(code), endpoint.family);
    }
  }
  return examples;
}

const exampleName = (code: ErrorCode, family: Family): string => `${family}-${code}`;

function exampleOf(error: AppError, family: Family): object {
  const { body } = errorAnswer(error, family, '01K0000000000000000000000A');
  return { summary: errorTable[error.code].message, value: body };
}
