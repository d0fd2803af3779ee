import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { createBatchLoader } from './batch-loader.ts';

/** The result of a query is its double; the test decides when a batch ends. */
function start() {
  const batches: { readonly queries: readonly number[]; end(): void; fail(error: Error): void }[] = [];
  const load = createBatchLoader(async (queries: readonly number[]) => {
    const { promise, resolve: end, reject: fail } = Promise.withResolvers<void>();
    batches.push({ queries, end, fail });
    await promise;
    return queries.map((query) => 2 * query);
  });
  const sent = () => batches.map(({ queries }) => queries);
  return { load, batches, sent };
}

describe('createBatchLoader', () => {
  it('sends queries of one synchronous run as one batch and returns each its own result', async () => {
    const { load, batches, sent } = start();
    const results = [load(1), load(2), load(3)];
    await nextTick();
    assert.deepEqual(sent(), [[1, 2, 3]]);
    batches[0]?.end();
    assert.deepEqual(await Promise.all(results), [2, 4, 6]);
  });

  it('sends a query immediately while fewer than three batches are in flight', async () => {
    const { load, batches, sent } = start();
    const results: Promise<number>[] = [];
    for (const query of [1, 2, 3]) {
      results.push(load(query));
      await nextTick();
    }
    assert.deepEqual(sent(), [[1], [2], [3]]);
    batches[2]?.end();
    assert.equal(await results[2], 6);
    void load(4);
    await nextTick();
    assert.deepEqual(sent(), [[1], [2], [3], [4]]);
  });

  it('sends waiting queries after 100 ms when no batch in flight gets a response', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { load, batches, sent } = start();
    for (const query of [1, 2, 3]) {
      void load(query);
      await nextTick();
    }
    for (const [first, second] of [
      [4, 5],
      [6, 7],
    ] as const) {
      const results = [load(first), load(second)];
      mock.timers.tick(99);
      await nextTick();
      assert.notDeepEqual(sent().at(-1), [first, second]);
      mock.timers.tick(1);
      await nextTick();
      assert.deepEqual(sent().at(-1), [first, second]);
      batches.at(-1)?.end();
      assert.deepEqual(await Promise.all(results), [2 * first, 2 * second]);
    }
  });

  it('returns to three concurrent batches after the ones without a response have ended', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { load, batches, sent } = start();
    for (let query = 0; query < 6; query += 1) {
      void load(query);
      mock.timers.tick(100);
      await nextTick();
    }
    assert.deepEqual(sent(), [[0], [1], [2], [3], [4], [5]]);
    for (const { end } of batches.slice()) {
      void load(6);
      end();
      await nextTick();
    }
    assert.deepEqual(sent().slice(6), [[6, 6, 6, 6], [6], [6]]);
    void load(7);
    await nextTick();
    assert.equal(batches.length, 9, 'queued, because three are in flight');
  });

  it('queues queries while three batches are in flight, and sends them as one batch when one of these ends', async () => {
    const { load, batches, sent } = start();
    for (const query of [1, 2, 3]) {
      void load(query);
      await nextTick();
    }
    const [fourth, fifth] = [load(4), load(5)];
    await nextTick();
    assert.equal(batches.length, 3);
    batches[1]?.end();
    await nextTick();
    assert.deepEqual(sent()[3], [4, 5]);
    batches[3]?.end();
    assert.deepEqual([await fourth, await fifth], [8, 10]);
  });

  it('puts at most 100 queries into one batch', async () => {
    const { load, batches, sent } = start();
    const results = Promise.all(Array.from({ length: 250 }, (_, query) => load(query)));
    for (let batch = 0; batch < 3; batch += 1) {
      await nextTick();
      for (const { end } of batches) end();
    }
    assert.deepEqual(
      await results,
      Array.from({ length: 250 }, (_, query) => 2 * query),
    );
    assert.deepEqual(
      sent().map(({ length }) => length),
      [100, 100, 50],
    );
  });

  it('rejects every query of a failed batch, and none of the next one', async () => {
    const { load, batches } = start();
    const failing = [load(1), load(2)];
    await nextTick();
    batches[0]?.fail(new Error('no answer'));
    for (const one of failing) await assert.rejects(one, /no answer/);
    const later = load(3);
    await nextTick();
    batches[1]?.end();
    assert.equal(await later, 6);
  });

  it('rejects the whole batch when results are missing', async () => {
    const load = createBatchLoader(async (queries: readonly number[]) => queries.slice(1));
    await assert.rejects(Promise.all([load(1), load(2)]), /2 queries, 1 results/);
  });
});
