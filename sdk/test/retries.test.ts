import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectionError, QuotaExceededError, RateLimitError, ServerError, type Signalpost } from '../src/index.ts';
import { quickClient, thrownBy } from './client.ts';
import {
  type Behaviour,
  cutBody,
  decision,
  empty,
  hangUp,
  html,
  json,
  lookup,
  misbehave,
} from './misbehaving-server.ts';

const tooMany = { error: 'rate_limit_exceeded', message: 'Too many requests' };
/** Timers may fire a moment early by another clock. */
const slackMs = 10;

describe('a request that is safe to repeat is sent again after', () => {
  const passing: readonly (readonly [string, Behaviour])[] = [
    ['429 without Retry-After', json(tooMany, 429)],
    ['429 without a body', empty(429)],
    ['429 with an unreadable Retry-After', json(tooMany, 429, { 'retry-after': 'soon' })],
    ['500 in the words of the service', json({ error: 'server_error', message: 'Server error' }, 500)],
    ['502 with HTML', html(502)],
    ['503 without a body', empty(503)],
    ['504 with JSON that is no object', json(['gateway timeout'], 504)],
    ['a connection that is closed without an answer', hangUp],
    ['a connection that is cut in the body', cutBody],
  ];
  for (const [name, behaviour] of passing) {
    test(`a request that is safe to repeat is sent again after ${name} [C3 C4]`, async () => {
      await using server = await misbehave(behaviour, behaviour, lookup);
      const { domain } = await quickClient(server.url).domain('example.com');
      assert.equal(domain, 'example.com');
      assert.equal(server.seen.length, 3);
    });
  }
});

describe('Retry-After of a 429', () => {
  const forms: readonly (readonly [string, () => string, number])[] = [
    ['in seconds', () => '1', 1_000],
    // Whole seconds: up to one of them is lost.
    ['as a date', () => new Date(Date.now() + 2_000).toUTCString(), 1_000],
  ];
  for (const [name, value, minMs] of forms) {
    test(`Retry-After of a 429 ${name} is waited for [C2]`, async () => {
      await using server = await misbehave(
        (response, request) => json(tooMany, 429, { 'retry-after': value() })(response, request),
        lookup,
      );
      await quickClient(server.url).domain('example.com');
      const [first, second] = server.seen;
      assert.ok(first && second && second.atMs - first.atMs >= minMs - slackMs);
    });
  }

  test('Retry-After of a 429 beyond the deadline is not waited for: the error says how long it would be', async () => {
    await using server = await misbehave(json(tooMany, 429, { 'retry-after': '3600' }));
    const error = await thrownBy(quickClient(server.url).domain('example.com'), RateLimitError);
    assert.equal(error.retryAfterMs, 3_600_000);
    assert.equal(error.code, 'rate_limit_exceeded');
    assert.equal(server.seen.length, 1);
  });
});

test('used-up credits are not asked for again, whatever Retry-After says [C1]', async () => {
  const quota = { error: 'quota_exceeded', message: 'The credits of this month are used up.' };
  await using server = await misbehave(json(quota, 429, { 'retry-after': '0' }));
  const client = quickClient(server.url);
  const error = await thrownBy(client.gates.decide('g', { email: 'jane@example.com' }), QuotaExceededError);
  assert.equal(error.code, 'quota_exceeded');
  assert.equal(server.seen.length, 1);
});

describe('attempts are limited', () => {
  test('attempts are limited to three, and the last error says how many there were [C6]', async () => {
    await using server = await misbehave(empty(503));
    const error = await thrownBy(quickClient(server.url).status(), ServerError);
    assert.deepEqual([error.status, error.code, error.attempts], [503, null, 3]);
    assert.equal(server.seen.length, 3);
  });

  test("attempts are limited by the client's setting, and by the call's where it has one", async () => {
    await using server = await misbehave(hangUp);
    const client = quickClient(server.url, { maxAttempts: 2 });
    await thrownBy(client.status(), ConnectionError);
    assert.equal(server.seen.length, 2);
    await thrownBy(client.status({ maxAttempts: 1 }), ConnectionError);
    assert.equal(server.seen.length, 3);
  });
});

describe('after a failure that leaves open whether the work was done,', () => {
  type Request = (client: Signalpost, repeatable?: boolean) => Promise<unknown>;
  const options = (repeatable?: boolean) => ({ repeatable });
  const writes: readonly (readonly [string, Request])[] = [
    ['an addition to the blocklist', (client, again) => client.blocklist.add('example.com', options(again))],
    ['an addition of many', (client, again) => client.blocklist.addMany(['example.com'], options(again))],
    ['a new gate', (client, again) => client.gates.create({ name: 'Signup' }, options(again))],
    ['a changed gate', (client, again) => client.gates.update('g', { name: 'Signup' }, options(again))],
    ['an order of rules', (client, again) => client.gates.rules.order('g', ['r'], options(again))],
  ];
  const harmless: readonly (readonly [string, Request])[] = [
    ['a removal from the blocklist', (client) => client.blocklist.remove('example.com')],
    ['the removal of a gate', (client) => client.gates.delete('g')],
    ['a decision', (client) => client.gates.decide('g', { email: 'jane@example.com' })],
    ['a backtest', (client) => client.gates.backtest('g', { rules: [] })],
  ];
  const success: Behaviour = (response, request) => {
    if (request.url.endsWith('/decisions')) return decision(response, request);
    if (request.method === 'DELETE' && request.url.includes('/gates/')) return empty(204)(response, request);
    return json({ data: {}, success: [], errors: [], message: '' })(response, request);
  };
  const failures = { 'a 503': empty(503), 'a 429': json(tooMany, 429), 'a cut connection': cutBody };
  for (const [failure, behaviour] of Object.entries(failures)) {
    for (const [name, request] of writes) {
      test(`after a failure that leaves open whether the work was done, ${failure}: ${name} is not sent again [C7]`, async () => {
        await using server = await misbehave(behaviour, success);
        await assert.rejects(request(quickClient(server.url)));
        assert.equal(server.seen.length, 1);
      });
      test(`after a failure that leaves open whether the work was done, ${failure}: ${name} is sent again when the caller says it may be [C7]`, async () => {
        await using server = await misbehave(behaviour, success);
        await request(quickClient(server.url), true);
        assert.equal(server.seen.length, 2);
      });
    }
    for (const [name, request] of harmless) {
      test(`after a failure that leaves open whether the work was done, ${failure}: ${name} is sent again [C7]`, async () => {
        await using server = await misbehave(behaviour, success);
        await request(quickClient(server.url));
        assert.equal(server.seen.length, 2);
      });
    }
  }
});
