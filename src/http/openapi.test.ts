import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Compile } from 'typebox/compile';
import { type StartedApp, startApp } from '../../test/start-app.ts';
import { testEndpoints } from '../../test/test-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { openApiDocument } from './openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { content: Record<string, { schema: object }> };
  readonly responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
  readonly security?: readonly object[];
}
interface Document {
  readonly openapi: string;
  readonly info: { title: string; version: string };
  readonly security: readonly object[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { securitySchemes: Record<string, object> };
}

const operations = (document: Document): [string, string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );

function check(document: Document): void {
  assert.match(document.openapi, /^3\.1\.\d+$/);
  assert.ok(document.info.title !== '' && document.info.version !== '');
  for (const requirement of document.security)
    for (const name of Object.keys(requirement)) assert.ok(name in document.components.securitySchemes, name);
  const ids = operations(document).map(([, , operation]) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length, 'an operationId is there twice');
  for (const [path, method, operation] of operations(document)) {
    const place = `${method} ${path}`;
    assert.match(path, /^\//, place);
    assert.ok(['get', 'post', 'put', 'patch', 'delete'].includes(method), place);
    assert.ok(operation.summary !== '', place);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
    assert.deepEqual(declared.map((parameter) => parameter.name).sort(), inPath.sort(), place);
    assert.ok(
      declared.every((parameter) => parameter.required),
      place,
    );
    const schemas = [
      ...operation.parameters.map((parameter) => parameter.schema),
      ...[operation.requestBody, ...Object.values(operation.responses)].flatMap((body) =>
        Object.values(body?.content ?? {}).map(({ schema }) => schema),
      ),
    ];
    for (const schema of schemas) assert.doesNotThrow(() => Compile(schema), place);
    for (const [status, response] of Object.entries(operation.responses)) {
      assert.match(status, /^[2-5]\d\d$/, place);
      assert.ok(response.description !== '', `${place} ${status}`);
    }
  }
}

describe('the OpenAPI document of the service', () => {
  let started: StartedApp;
  let document: Document;
  before(async () => {
    started = await startApp();
    document = started.app.openapi as Document;
  });
  after(() => started.close());

  it('the OpenAPI document of the service is a valid OpenAPI 3.1 document', () => check(document));

  it('the OpenAPI document of the service is what GET /openapi.json answers [D259]', async () => {
    assert.deepEqual((await started.request('GET', '/openapi.json')).json, JSON.parse(JSON.stringify(document)));
  });

  it('the OpenAPI document of the service names every endpoint that is mounted, and only those: each asks for a key [S56]', async () => {
    for (const [path, method] of operations(document)) {
      const { status } = await started.request(method.toUpperCase() as 'GET', path.replaceAll(/\{\w+\}/g, 'x'));
      assert.equal(status, 401, `${method} ${path}`);
    }
  });

  it('the OpenAPI document of the service is the openapi.json in the repository (npm run openapi makes it) [Q16]', () => {
    const file = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
    assert.equal(file, `${JSON.stringify(document, null, 2)}\n`);
  });
});

describe('an operation', () => {
  const documentOf = (endpoints: readonly Endpoint[]) => openApiDocument(endpoints, '1.2.3') as Document;

  it('an operation of the OpenAPI document tells plan, credits and input by the answers it lists', () => {
    const { paths } = documentOf(testEndpoints());
    const statuses = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {});
    assert.deepEqual(statuses('/domain/{domain}', 'get'), ['200', '401', '403', '429', '500', '503']);
    assert.deepEqual(statuses('/blocklist', 'post'), ['201', '401', '403', '413', '429', '500', '503']);
  });
});
