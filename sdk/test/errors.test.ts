import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AnswerError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  ServerError,
  SignalpostError,
  ValidationError,
} from '../src/index.ts';
import { quickClient, thrownBy } from './client.ts';
import { type Behaviour, empty, flood, html, json, lookup, misbehave, requestId } from './misbehaving-server.ts';

describe('an answer that no retry would change is thrown immediately:', () => {
  const cases: readonly (readonly [number, typeof ApiError, object, string | null])[] = [
    [400, BadRequestError, { status: 400, error: 'The domain is invalid.' }, 'invalid_domain'],
    [401, AuthenticationError, { error: 'unauthorized', message: 'Invalid API key' }, 'unauthorized'],
    [401, AuthenticationError, { status: 401, error: 'Unauthorized' }, 'unauthorized'],
    [403, PermissionError, { error: 'pro_only', message: 'The plan does not include Gates.' }, 'pro_only'],
    [403, PermissionError, { message: 'This feature requires a Pro account' }, 'pro_only'],
    [404, NotFoundError, { message: 'Domain not found in blocklist' }, 'domain_not_listed'],
    [404, NotFoundError, { error: 'gate_not_found', message: 'No such gate' }, 'gate_not_found'],
    [405, ApiError, { error: 'method_not_allowed', message: 'Method not allowed' }, 'method_not_allowed'],
    [409, ConflictError, { error: 'gate_changed', message: 'The gate has changed.' }, 'gate_changed'],
    [410, ApiError, { message: 'Something new' }, null],
    [413, ApiError, { error: 'payload_too_large', message: 'The body is too large.' }, 'payload_too_large'],
    [422, ValidationError, { error: 'invalid_ip', message: 'The IP address is invalid.' }, 'invalid_ip'],
    [
      422,
      ValidationError,
      { message: 'The blocklist is full: this plan allows at most 250 domains.' },
      'blocklist_full',
    ],
    [422, ValidationError, { message: 'constructor' }, null],
    [501, ServerError, {}, null],
  ];
  for (const [status, type, body, code] of cases) {
    test(`an answer that no retry would change is thrown immediately: ${status} ${JSON.stringify(body)} [C5]`, async () => {
      await using server = await misbehave(json(body, status));
      const error = await thrownBy(quickClient(server.url).status(), type);
      assert.deepEqual([error.constructor, error.name], [type, type.name]);
      assert.deepEqual([error.status, error.code, error.requestId], [status, code, requestId]);
      assert.deepEqual([error.body, error.attempts, server.seen.length], [body, 1, 1]);
      assert.ok(error instanceof SignalpostError);
    });
  }
});

test('a 422 names what is wrong by field', async () => {
  const errors = { 'conditions.0.operator': ['It is unknown.', 'It is missing.'], name: 'It is too long.' };
  await using server = await misbehave(json({ error: 'validation_failed', message: 'Wrong', errors }, 422));
  const { fields } = await thrownBy(quickClient(server.url).gates.create({ name: '' }), ValidationError);
  assert.deepEqual(fields, {
    'conditions.0.operator': ['It is unknown.', 'It is missing.'],
    name: ['It is too long.'],
  });
});

test('a 422 whose errors are not an object has no fields', async () => {
  await using server = await misbehave(json({ errors: 'all of them' }, 422));
  assert.deepEqual((await thrownBy(quickClient(server.url).status(), ValidationError)).fields, {});
});

test('a 403 that is not JSON is not about the key: it has no code and says so [C9]', async () => {
  await using server = await misbehave(html(403));
  const error = await thrownBy(quickClient(server.url).status(), PermissionError);
  assert.deepEqual([error.code, error.body, server.seen.length], [null, null, 1]);
  assert.match(error.message, /in front of the service/);
});

describe('an answer of success whose body is not the service’s own:', () => {
  const bodies: readonly (readonly [string, Behaviour, RegExp])[] = [
    ['empty', empty(200), /empty/],
    ['HTML', html(200), /not a JSON object/],
    ['a list', json([]), /not a JSON object/],
    ['null', json(null), /not a JSON object/],
    ['an object of something else', json({ ok: true }), /no mx_providers/],
    ['an object with a null where a list belongs', json({ mx_providers: null }), /no mx_providers/],
    ['without end', flood, /larger than/],
  ];
  for (const [name, behaviour, message] of bodies) {
    test(`an answer of success with a body that is not the service’s own is an error: ${name} [C8]`, async () => {
      await using server = await misbehave(behaviour, lookup);
      const error = await thrownBy(quickClient(server.url).domain('example.com'), AnswerError);
      assert.match(error.message, message);
      assert.deepEqual([error.status, server.seen.length], [200, 1]);
    });
  }
});

test('an empty 200 is an error of a call that answers with 204', async () => {
  await using server = await misbehave(empty(200));
  const error = await thrownBy(quickClient(server.url).gates.delete('some-gate'), AnswerError);
  assert.match(error.message, /status 200, .* answers with 204/);
});

test('a redirect is not followed: the key stays where it was sent', async () => {
  await using elsewhere = await misbehave(lookup);
  await using server = await misbehave(empty(302, { location: `${elsewhere.url}/domain/example.com` }));
  const error = await thrownBy(quickClient(server.url).domain('example.com'), ApiError);
  assert.match(error.message, /check baseUrl/);
  assert.equal(elsewhere.seen.length, 0);
});

test('an unreachable service is a ConnectionError with its reason, after three attempts', async () => {
  const server = await misbehave(lookup);
  await server[Symbol.asyncDispose]();
  const error = await thrownBy(quickClient(server.url).status(), ConnectionError);
  assert.deepEqual([error.status, error.attempts], [null, 3]);
  assert.match(error.message, /ECONNREFUSED/);
  assert.ok(error.cause instanceof Error);
});
