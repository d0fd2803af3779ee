import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Check } from 'typebox/schema';
import { type OpenApi, withoutReferences } from '../src/reference/open-api.ts';
import { documentedResponses, withoutOthers } from './documented-responses.ts';

const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
const answer = (status: number, json: unknown) => ({ status, json, headers: {}, text: JSON.stringify(json) });

test('every example of a response in openapi.json matches its schema, without undeclared fields', () => {
  let examples = 0;
  for (const [path, operations] of Object.entries((document as OpenApi).paths)) {
    for (const { operationId, responses } of Object.values(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        const content = withoutReferences(document, response).content?.['application/json'];
        if (content === undefined) continue;
        const schema = withoutOthers(content.schema);
        const named = Object.entries(content.examples ?? {}).map(([name, { value }]) => [name, value] as const);
        for (const [name, value] of [
          ...named,
          ...(content.example === undefined ? [] : [['', content.example] as const]),
        ]) {
          examples += 1;
          assert.ok(Check(schema, value), `${operationId} ${path} ${status} ${name}: ${JSON.stringify(value)}`);
          const isRejected = path === '/blocklist' && status === '422';
          assert.ok(!isRejected || 'errors' in Object(value), `${operationId} ${status} ${name} has no errors`);
        }
      }
    }
  }
  assert.ok(examples > 100);
});

test('the test client rejects a response that openapi.json does not describe', () => {
  const check = documentedResponses(document);
  assert.throws(() => check('GET', '/status', answer(200, {})), /getStatus answered 200.*does not match/);
  assert.throws(() => check('GET', '/domain/x?wait=a', answer(400, { message: 'x' })), /lookupDomain/);
  assert.throws(() => check('POST', '/blocklist/bulk', answer(418, {})), /addManyToBlocklist .*does not list/);
  const unauthorised = { status: 401, error: 'Unauthorized' };
  assert.doesNotThrow(() => check('GET', '/status', answer(401, unauthorised)));
  assert.throws(() => check('GET', '/status', answer(401, { ...unauthorised, hint: 'x' })), /does not match/);
});
