import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { documentedResponses } from './documented-responses.ts';

const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
const answer = (status: number, json: unknown) => ({ status, json, headers: {}, text: JSON.stringify(json) });

test('the test client rejects a response that openapi.json does not describe', () => {
  const check = documentedResponses(document);
  assert.throws(() => check('GET', '/status', answer(200, {})), /getStatus answered 200.*does not match/);
  assert.throws(() => check('GET', '/domain/x?wait=a', answer(400, { message: 'x' })), /lookupDomain/);
  assert.throws(() => check('POST', '/blocklist/bulk', answer(418, {})), /addManyToBlocklist .*does not list/);
  assert.doesNotThrow(() => check('GET', '/status', answer(401, { status: 401, error: 'Unauthorized' })));
});
