import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AuthenticationError, PermissionError, SignalpostError, ValidationError } from '../src/index.ts';
import { quickClient, thrownBy } from './client.ts';
import { type Behaviour, decision, empty, hangUp, html, json, misbehave, silence } from './misbehaving-server.ts';

const input = { email: 'jane@example.com' };

describe('with failOpen the caller’s decision stands in for', () => {
  const outages: readonly (readonly [string, Behaviour])[] = [
    ['a service that fails', empty(503)],
    ['a connection that is closed', hangUp],
    ['silence', silence],
    ['a page in place of the answer', html(200)],
    ['an answer without a decision', json({})],
    ['a refusal by something in front of the service', html(403)],
    ['throughput that is exceeded for longer than the deadline', json({}, 429, { 'retry-after': '300' })],
    ['used-up credits', json({ error: 'quota_exceeded', message: '' }, 429)],
  ];
  for (const [name, behaviour] of outages) {
    test(`with failOpen the caller’s decision stands in for ${name} [C12]`, async () => {
      await using server = await misbehave(behaviour);
      const client = quickClient(server.url, { timeoutMs: 500 });
      const result = await client.gates.decide('g', input, { failOpen: 'challenge' });
      assert.deepEqual(result.decision, { action: 'challenge', matched_rule: null });
      assert.ok('outage' in result && result.outage instanceof SignalpostError);
      assert.deepEqual([result.input, result.signals, result.meta], [input, null, null]);
    });
  }
});

describe('failOpen does not hide', () => {
  const mistakes: readonly (readonly [string, Behaviour, typeof SignalpostError])[] = [
    ['a wrong key', json({ error: 'unauthorized', message: '' }, 401), AuthenticationError],
    ['a plan without gates', json({ error: 'pro_only', message: '' }, 403), PermissionError],
    ['wrong input', json({ error: 'invalid_email', message: '' }, 422), ValidationError],
  ];
  for (const [name, behaviour, type] of mistakes) {
    test(`failOpen does not hide ${name} [C12]`, async () => {
      await using server = await misbehave(behaviour);
      await thrownBy(quickClient(server.url).gates.decide('g', input, { failOpen: 'allow' }), type);
    });
  }

  test('failOpen does not hide an abort', async () => {
    await using server = await misbehave(silence);
    const signal = AbortSignal.abort(new Error('never mind'));
    await assert.rejects(quickClient(server.url).gates.decide('g', input, { failOpen: 'allow', signal }), /never mind/);
  });
});

test('without failOpen an outage is thrown', async () => {
  await using server = await misbehave(empty(503));
  await assert.rejects(quickClient(server.url).gates.decide('g', input));
});

test('with failOpen a decision of the gate is the gate’s own', async () => {
  await using server = await misbehave(decision);
  const result = await quickClient(server.url).gates.decide('g', input, { failOpen: 'block' });
  assert.equal(result.decision.action, 'allow');
  assert.ok(!('outage' in result));
});
