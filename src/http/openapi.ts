import { AppError, type ErrorCode, lookupSentence } from '../errors.ts';
import type { Endpoint, Family } from './endpoint.ts';
import { errorAnswer, statusOf } from './error-shapes.ts';
import type { JsonSchema } from './schema.ts';

/** The codes that any endpoint of any family may answer. */
const everywhere: readonly ErrorCode[] = [
  'key_required',
  'unauthorized',
  'ip_blocked',
  'rate_limit_exceeded',
  'server_error',
  'service_unavailable',
];

const tags: Readonly<Record<Family, string>> = {
  lookup: 'Lookups and status',
  blocklist: 'Blocklist',
  gates: 'Gates',
  'gates-v0': 'Gates, v0',
};

/** The OpenAPI 3.1 document of the service, made from its endpoints alone. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signalpost',
      version,
      description: 'Email and domain signals, a custom blocklist, and Gates: rules that allow, block or challenge.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer KEY' } },
    },
  };
}

function operation(endpoint: Endpoint): object {
  const success = endpoint.status ?? 200;
  return {
    operationId: endpoint.operationId,
    tags: [tags[endpoint.family]],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    parameters: [...parameters(endpoint.schemas.params, 'path'), ...parameters(endpoint.schemas.query, 'query')],
    ...(endpoint.schemas.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: endpoint.schemas.body } } } }),
    responses: {
      [success]: {
        description: 'Success',
        ...(endpoint.schemas.response === undefined
          ? {}
          : { content: { 'application/json': { schema: endpoint.schemas.response } } }),
      },
      ...errorResponses(endpoint),
    },
    'x-plan': endpoint.plan,
  };
}

function parameters(schema: JsonSchema | undefined, place: 'path' | 'query'): object[] {
  const object = schema as { properties?: Record<string, { description?: string }>; required?: string[] } | undefined;
  return Object.entries(object?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (object?.required ?? []).includes(name),
    ...(property.description === undefined ? {} : { description: property.description }),
    schema: property,
  }));
}

function errorResponses(endpoint: Endpoint): Record<number, object> {
  const codes = new Set<ErrorCode>([...everywhere, ...endpoint.errors]);
  if (endpoint.plan === 'pro') codes.add('pro_only');
  if (endpoint.chargeable) codes.add('quota_exceeded');
  if (endpoint.schemas.body !== undefined) codes.add('payload_too_large');
  const responses: Record<number, { description: string; content: object }> = {};
  for (const code of codes) {
    const status = statusOf(code, endpoint.family);
    const example = errorAnswer(new AppError(code), endpoint.family, '01JCXEXAMPLE000000000000AA').body;
    const earlier = responses[status];
    const examples = { ...examplesOf(earlier), [code]: { value: example } };
    responses[status] = {
      description: earlier === undefined ? lookupSentence(code) : earlier.description,
      content: { 'application/json': { schema: { type: 'object' }, examples } },
    };
  }
  return responses;
}

function examplesOf(response: { content: object } | undefined): object {
  const content = response?.content as { 'application/json'?: { examples?: object } } | undefined;
  return content?.['application/json']?.examples ?? {};
}
