import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../test/eventually.ts';
import { ServerError, TimeoutError } from '../src/index.ts';
import { quickClient, thrownBy } from './client.ts';
import { empty, json, lookup, misbehave, silence, stall } from './misbehaving-server.ts';

for (const [name, behaviour] of [
  ['no answer', silence],
  ['a body that does not end', stall],
] as const) {
  describe(name, () => {
    test(`on ${name} the client ends an attempt after attemptTimeoutMs, and the next may succeed`, async () => {
      await using server = await misbehave(behaviour, lookup);
      await quickClient(server.url, { attemptTimeoutMs: 500 }).domain('example.com');
      assert.equal(server.seen.length, 2);
    });

    test(`on ${name} the client ends the call after timeoutMs [C10]`, async () => {
      await using server = await misbehave(behaviour);
      const error = await thrownBy(quickClient(server.url, { timeoutMs: 1_000 }).status(), TimeoutError);
      assert.deepEqual([error.attempts, server.seen.length], [1, 1]);
    });

    test(`on ${name} the client ends when the caller gives up, with the reason of the signal [C11]`, async () => {
      await using server = await misbehave(behaviour);
      const controller = new AbortController();
      const call = quickClient(server.url).status({ signal: controller.signal });
      await eventually(async () => assert.equal(server.seen.length, 1));
      const reason = new Error('the visitor left');
      controller.abort(reason);
      await assert.rejects(call, (error) => error === reason);
      assert.equal(server.seen.length, 1);
    });
  });
}

describe('the deadline', () => {
  test('the deadline of a call is that of all attempts together, and the error names the last failure', async () => {
    await using server = await misbehave(empty(503), silence);
    const error = await thrownBy(quickClient(server.url, { timeoutMs: 300 }).status(), TimeoutError);
    assert.deepEqual([error.attempts, server.seen.length], [2, 2]);
    assert.ok(error.cause instanceof ServerError);
  });

  test('the deadline of a call holds for a fetch that does not listen to its signal', async () => {
    const client = quickClient('http://127.0.0.1:1', { timeoutMs: 50, fetch: () => new Promise(() => {}) });
    await thrownBy(client.status(), TimeoutError);
  });

  test('the deadline of a call goes before that of the client', async () => {
    await using server = await misbehave(silence);
    await thrownBy(quickClient(server.url, { timeoutMs: 60_000 }).status({ timeoutMs: 50 }), TimeoutError);
  });
});

describe('an abort signal', () => {
  test('an abort signal that was given up before sends nothing', async () => {
    await using server = await misbehave(lookup);
    const signal = AbortSignal.abort(new Error('never mind'));
    await assert.rejects(quickClient(server.url).status({ signal }), /never mind/);
    assert.equal(server.seen.length, 0);
  });

  test('an abort signal ends a pause between attempts [C11]', async () => {
    await using server = await misbehave(json({}, 429, { 'retry-after': '20' }), lookup);
    const controller = new AbortController();
    const call = quickClient(server.url).domain('example.com', {}, { signal: controller.signal });
    await eventually(async () => assert.equal(server.seen.length, 1));
    controller.abort(new Error('never mind'));
    await assert.rejects(call, /never mind/);
    assert.equal(server.seen.length, 1);
  });
});
