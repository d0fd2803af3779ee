import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { operationsModule } from '../scripts/openapi-operations.ts';
import { type Schema, typescriptOfSchema } from '../scripts/typescript-of-schema.ts';

const root = join(import.meta.dirname, '..');

describe('the TypeScript type of a schema', () => {
  const cases: readonly (readonly [Schema, string, string])[] = [
    [{ type: 'string' }, 'string', 'string'],
    [{ type: 'integer' }, 'number', 'number'],
    [{ type: ['boolean', 'null'] }, 'boolean | null', 'boolean | null'],
    [{ type: 'string', enum: ['a', "it's"] }, "'a' | 'it\\'s'", "'a' | 'it\\'s'"],
    [{ const: 1 }, '1', '1'],
    [{}, 'unknown', 'unknown'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, 'Array<string | null>', 'ReadonlyArray<string | null>'],
    [{ type: 'object' }, 'Record<string, unknown>', 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>', 'Record<string, number>'],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number', 'string | number'],
    [{ allOf: [{ $ref: '#/components/schemas/Rule' }] }, "(Schemas['Rule'])", "(Schemas['Rule'])"],
    [{ $ref: '#/components/schemas/Rule' }, "Schemas['Rule']", "Schemas['Rule']"],
    [
      { type: 'object', required: ['a'], properties: { a: { type: 'string' }, 'b-c': { type: 'string' } } },
      '{\n  a: string;\n  "b-c"?: string;\n}',
      '{\n  a: string;\n  "b-c"?: string | undefined;\n}',
    ],
    [
      { type: 'object', properties: { a: { description: 'Old */ one', deprecated: true } } },
      '{\n  /** Old *\\/ one @deprecated */\n  a?: unknown;\n}',
      '{\n  /** Old *\\/ one @deprecated */\n  a?: unknown;\n}',
    ],
  ];
  for (const [schema, answer, input] of cases) {
    test(`the TypeScript type of the schema ${JSON.stringify(schema)}`, () => {
      assert.equal(typescriptOfSchema(schema, 'answer'), answer);
      assert.equal(typescriptOfSchema(schema, 'input'), input);
    });
  }
});

test('a generated operation has its input types, its response type, and its method and path', () => {
  const object = {
    type: 'object',
    required: ['data'],
    properties: { data: { type: 'object' }, id: { type: 'string' } },
  };
  const document = {
    paths: {
      '/v1/things/{id}': {
        put: {
          operationId: 'changeThing',
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'dry', in: 'query', schema: { type: 'boolean' } },
          ],
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: { 200: { content: { 'application/json': { schema: object } } }, 404: {} },
        },
        delete: { operationId: 'removeThing', responses: { 204: {} } },
      },
    },
  };
  const text = operationsModule(document, 'things.json');
  assert.match(text, /^\/\/ Generated from things\.json /);
  assert.match(
    text,
    /changeThing: \{\n {4}path: \{\n {6}id: string;\n {4}\};\n {4}query: \{\n {6}dry\?: boolean \| undefined;/,
  );
  assert.match(text, /changeThing: \{ method: 'PUT', path: '\/v1\/things\/\{id\}', needs: \['data'\] \}/);
  assert.match(text, /removeThing: \{\n {4}answer: undefined;/);
  assert.match(text, /removeThing: \{ method: 'DELETE', path: '\/v1\/things\/\{id\}', needs: null \}/);
});

test('the client has a call for every operation of openapi.json except the v0 decision and hints, which pages request [C16]', () => {
  const { paths }: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
    readFileSync(join(root, 'openapi.json'), 'utf8'),
  );
  const names = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  const source = globSync('sdk/src/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('operations.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('');
  const missing = names.filter((name) => !source.includes(`call('${name}'`));
  assert.deepEqual(missing, ['readHint', 'decideV0'], 'an endpoint without a line in sdk/src');
});
