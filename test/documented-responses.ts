import assert from 'node:assert/strict';
import { Compile, type Validator } from 'typebox/compile';
import { type OpenApi, type Operation, withoutReferences } from '../src/reference/open-api.ts';
import type { Response } from './inject.ts';

/** Statuses that any path may return without listing them: the value may not form a valid path, or the method is not allowed. */
const everywhere = [404, 405];

/** Throws when the response to a documented operation is not one that the document describes. */
export function documentedResponses(document: object): (method: string, path: string, answer: Response) => void {
  const openApi = document as OpenApi;
  const calls = Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      operation,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`),
      variables: path.split('{').length,
    })),
  );
  // When two match, the one with more fixed text applies: /blocklist/bulk.
  calls.sort((one, other) => one.variables - other.variables);
  return (method, path, answer) => {
    const [bare = ''] = path.split(/[?#]/);
    const call = calls.find((one) => one.method === method && one.pattern.test(bare));
    if (call !== undefined) check(openApi, call.operation, answer);
  };
}

/** Compiled when a response is first seen: a whole document takes longer than most tests. */
const compiled = new WeakMap<object, Validator | undefined>();

function validatorOf(document: OpenApi, response: Operation['responses'][string]): Validator | undefined {
  if (!compiled.has(response)) {
    const schema = withoutReferences(document, response).content?.['application/json'].schema;
    compiled.set(response, schema && Compile(withoutOthers(schema)));
  }
  return compiled.get(response);
}

/** A schema that forbids the properties it does not declare. */
export function withoutOthers(schema: object): object {
  const { properties, items, additionalProperties } = schema as {
    readonly properties?: Readonly<Record<string, object>>;
    readonly items?: object;
    readonly additionalProperties?: object | boolean;
  };
  const declared = Object.entries(properties ?? {}).map(([name, property]) => [name, withoutOthers(property)]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(declared), additionalProperties: false }),
    ...(items && { items: withoutOthers(items) }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
}

function check(document: OpenApi, { operationId, responses }: Operation, { status, json, text }: Response): void {
  const documented = responses[status];
  const place = `${operationId} answered ${status}: ${text.slice(0, 300)}`;
  assert.ok(documented !== undefined || everywhere.includes(status), `${place}, which openapi.json does not list`);
  const validator = documented && validatorOf(document, documented);
  // The framework's own body under /v0 is not documented.
  if (validator === undefined || json === undefined || 'statusCode' in Object(json)) return;
  assert.ok(validator.Check(json), `${place}, which does not match openapi.json`);
}
