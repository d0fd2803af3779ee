import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testClock } from '../../test/start-app.ts';
import { tester } from '../../test/tester.ts';
import {
  createListRefresh,
  type RefreshHooks,
  type RefreshWork,
  type SharedProgress,
  type SourceResult,
} from './list-refresh.ts';

const result: SourceResult = { source: 'one', result: 'updated', count: 3, added: 2, removed: 1, reason: null };

/** Two processes with the same lists, and a refresh that continues when the test says so. */
function setUp() {
  const clock = testClock(1_000_000);
  let saved: ReturnType<SharedProgress['read']> = null;
  const shared: SharedProgress = {
    read: () => saved,
    save(progress) {
      saved = { progress, savedAtMs: clock.now() };
    },
  };
  const runs: { hooks: RefreshHooks; end(results: readonly SourceResult[]): void; fail(error: Error): void }[] = [];
  const work: RefreshWork = {
    refusal: null,
    sources: () => [
      { name: 'one', enabled: true },
      { name: 'two', enabled: true },
      { name: 'off', enabled: false },
    ],
    run(_only, hooks) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly SourceResult[]>();
      runs.push({ hooks, end: resolve, fail: reject });
      return promise;
    },
    record: async () => {},
  };
  const process = () => createListRefresh(work, shared, clock.now);
  return { clock, runs, one: process(), other: process() };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a refresh of the lists', () => {
  it('runs once for all processes: each of them reports the progress and joins the running one', async () => {
    const { runs, one, other } = setUp();
    assert.equal(await one.start(null, tester), null);
    runs[0]?.hooks.onStart('one');
    runs[0]?.hooks.onResult(result);
    assert.equal(other.progress().total, 2);
    assert.deepEqual(other.progress().results, [result]);
    assert.equal(await other.start(null, tester), null);
    assert.equal(runs.length, 1);
    runs[0]?.end([result]);
    await nextTurn();
    for (const { progress } of [one, other]) assert.notEqual(progress().endedAtMs, null);
    assert.equal(await other.start(['off'], tester), null);
    assert.equal(runs.length, 2);
    assert.equal(one.progress().total, 1);
  });

  it('counts as failed after a minute without a heartbeat', async () => {
    const { clock, runs, one, other } = setUp();
    await one.start(null, tester);
    clock.advance(59_000);
    runs[0]?.hooks.onProgress('one', 10, null);
    clock.advance(59_000);
    assert.equal(other.progress().error, null);
    clock.advance(1_000);
    assert.match(other.progress().error ?? '', /ended before it finished/);
    assert.equal(await other.start(null, tester), null);
    assert.equal(runs.length, 2);
  });

  it('reports why it failed, and can start again', async () => {
    const { runs, one } = setUp();
    await one.start(null, tester);
    runs[0]?.fail(new Error('the disk is full'));
    await nextTurn();
    assert.equal(one.progress().error, 'the disk is full');
    assert.equal(await one.start(null, tester), null);
    assert.equal(one.progress().error, null);
  });

  it('rejects an unknown source', async () => {
    const { runs, one } = setUp();
    assert.match((await one.start(['three'], tester)) ?? '', /Unknown source "three"/);
    assert.equal(runs.length, 0);
  });
});
