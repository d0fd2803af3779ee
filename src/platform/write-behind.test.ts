import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { createPendingQueue } from './pending-entries.ts';
import { createWriteBehind, type WriteBehindOptions } from './write-behind.ts';

const unavailable = () => new AppError('service_unavailable');

/** A buffer of numbers over storage that the test controls: it accepts, fails with `error`, or hangs until `release` is called. */
function start(options: Partial<WriteBehindOptions<readonly number[]>> = {}, max?: number) {
  const queue = createPendingQueue<number>(max);
  const storage = {
    error: null as Error | null,
    hung: null as PromiseWithResolvers<void> | null,
    batches: [] as (readonly number[])[],
    concurrent: 0,
  };
  const buffer = createWriteBehind<readonly number[]>({
    name: 'numbers',
    pending: queue,
    batchSize: 3,
    flushEveryMs: 100,
    failure: 'numbers not written yet',
    async write(batch) {
      storage.concurrent += 1;
      assert.equal(storage.concurrent, 1, 'two concurrent writes');
      try {
        await storage.hung?.promise;
        await nextTick();
        if (storage.error !== null) throw storage.error;
        storage.batches.push(batch);
      } finally {
        storage.concurrent -= 1;
      }
    },
    ...options,
  });
  const add = (...numbers: readonly number[]) => numbers.map((number) => queue.add(number));
  return { buffer, storage, add, written: () => storage.batches.flat() };
}

describe('createWriteBehind', () => {
  it('writes pending entries in order, in batches of the given size', async () => {
    const { buffer, storage, add } = start();
    add(1, 2, 3, 4, 5, 6, 7);
    assert.equal(buffer.pending(), 7);
    await buffer.flush();
    assert.deepEqual(storage.batches, [[1, 2, 3], [4, 5, 6], [7]]);
    assert.equal(buffer.pending(), 0);
  });

  it('writes nothing when nothing is pending', async () => {
    const { buffer, storage } = start();
    await buffer.flush();
    assert.deepEqual(storage.batches, []);
  });

  it('lets the event loop run between two batches', async () => {
    let iterations = 0;
    const seen: number[] = [];
    const { buffer, add } = start({
      async write() {
        seen.push(iterations);
      },
    });
    add(1, 2, 3, 4, 5, 6);
    const count = setInterval(() => {}, 1_000);
    const tick = () => {
      iterations += 1;
      if (seen.length < 2) setImmediate(tick);
    };
    setImmediate(tick);
    await buffer.flush();
    clearInterval(count);
    assert.equal(new Set(seen).size, 2);
  });

  it('keeps every entry in order while storage is unavailable, and writes all of them once it recovers', async () => {
    const { buffer, storage, add, written } = start();
    add(1, 2, 3, 4);
    storage.error = unavailable();
    await assert.rejects(buffer.flush(), AppError);
    add(5);
    await assert.rejects(buffer.flush(), AppError);
    assert.deepEqual([buffer.pending(), written()], [5, []]);
    storage.error = null;
    await buffer.flush();
    assert.deepEqual(written(), [1, 2, 3, 4, 5]);
  });

  it('rejects entries beyond its bound while storage hangs, and writes the accepted ones when it responds', async () => {
    const { buffer, storage, add, written } = start({}, 4);
    storage.hung = Promise.withResolvers();
    add(1, 2, 3);
    const flushing = buffer.flush();
    await nextTick();
    assert.deepEqual(add(4, 5, 6, 7, 8), [true, true, true, true, false]);
    storage.hung.resolve();
    storage.hung = null;
    await flushing;
    await buffer.flush();
    assert.deepEqual(written(), [1, 2, 3, 4, 5, 6, 7]);
  });

  it('reports a rejected batch and writes the entries behind it', async () => {
    const rejected: unknown[] = [];
    const { buffer, storage, add, written } = start({
      onRejected: (batch, error) => {
        rejected.push([batch, String(error)]);
        storage.error = null;
      },
    });
    add(1, 2, 3, 4);
    storage.error = new Error('too large');
    await buffer.flush();
    assert.deepEqual(rejected, [[[1, 2, 3], 'Error: too large']]);
    assert.deepEqual(written(), [4]);
  });

  it('keeps a rejected batch when losing it is not allowed', async () => {
    const { buffer, storage, add, written } = start();
    add(1);
    storage.error = new Error('constraint');
    await assert.rejects(buffer.flush(), /constraint/);
    storage.error = null;
    await buffer.flush();
    assert.deepEqual(written(), [1]);
  });

  it('a flush during another one also covers entries added since that one started, and both callers share it', async () => {
    const { buffer, storage, add, written } = start();
    storage.hung = Promise.withResolvers();
    add(1);
    const first = buffer.flush();
    await nextTick();
    add(2);
    const [second, third] = [buffer.flush(), buffer.flush()];
    assert.equal(second, third);
    storage.hung.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(storage.batches, [[1], [2]]);
    assert.deepEqual(written(), [1, 2]);
  });

  it('a flush after a failed one does not fail with it', async () => {
    const { buffer, storage, add, written } = start();
    storage.hung = Promise.withResolvers();
    add(1);
    const first = buffer.flush();
    await nextTick();
    const second = buffer.flush();
    storage.hung.reject(unavailable());
    storage.hung = null;
    await assert.rejects(first);
    await second;
    assert.deepEqual(written(), [1]);
  });

  it('writes a batch out of turn after the write in progress, and keeps it when that fails', async () => {
    const { buffer, storage, add, written } = start();
    storage.hung = Promise.withResolvers();
    add(1, 2, 3, 4);
    const flushing = buffer.flush();
    await nextTick();
    const now = buffer.writeNow([9]);
    storage.hung.resolve();
    storage.hung = null;
    await Promise.all([flushing, now]);
    assert.deepEqual(storage.batches, [[1, 2, 3], [9], [4]]);
    storage.error = unavailable();
    await assert.rejects(buffer.writeNow([10]));
    assert.equal(buffer.pending(), 1);
    storage.error = null;
    await buffer.flush();
    assert.deepEqual(written().at(-1), 10);
  });

  it('collects entries before a flush', async () => {
    const { buffer, add, written } = start({
      async beforeFlush() {
        add(7);
      },
    });
    await buffer.flush();
    assert.deepEqual(written(), [7]);
  });

  it('delays a flush by the number of pending entries, up to the maximum', async () => {
    let nowMs = 0;
    const { buffer, add, written } = start({ monotonicMs: () => nowMs, delay: { perEntryMs: 10, maxMs: 50 } });
    add(1, 2, 3);
    nowMs = 29;
    await buffer.flushWhenDue();
    assert.deepEqual(written(), []);
    nowMs = 30;
    await buffer.flushWhenDue();
    assert.deepEqual(written(), [1, 2, 3]);
    add(...Array.from({ length: 100 }, (_, index) => index));
    nowMs = 80;
    await buffer.flushWhenDue();
    assert.equal(written().length, 103);
  });
});
