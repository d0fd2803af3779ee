import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSemaphore } from './semaphore.ts';

describe('createSemaphore', () => {
  it('grants free slots immediately and queued ones in the order of arrival', async () => {
    const semaphore = createSemaphore(1, 2);
    const { signal } = new AbortController();
    assert.equal(semaphore.acquire(signal), true);
    const order: number[] = [];
    const first = Promise.resolve(semaphore.acquire(signal)).then(() => order.push(1));
    const second = Promise.resolve(semaphore.acquire(signal)).then(() => order.push(2));
    assert.deepEqual([semaphore.held(), semaphore.waiting()], [1, 2]);
    semaphore.release();
    await first;
    semaphore.release();
    await second;
    assert.deepEqual(order, [1, 2]);
    assert.equal(semaphore.held(), 1);
    semaphore.release();
    assert.equal(semaphore.held(), 0);
  });

  it('rejects a caller when the queue is full', () => {
    const semaphore = createSemaphore(1, 0);
    const { signal } = new AbortController();
    semaphore.acquire(signal);
    assert.equal(semaphore.acquire(signal), false);
  });

  it('grants no slot to a caller that left the queue', async () => {
    const semaphore = createSemaphore(1, 1);
    const stays = new AbortController();
    const leaves = new AbortController();
    semaphore.acquire(stays.signal);
    const waiting = semaphore.acquire(leaves.signal);
    leaves.abort();
    assert.equal(await waiting, false);
    assert.equal(semaphore.acquire(leaves.signal), false);
    assert.equal(semaphore.waiting(), 0);
    semaphore.release();
    assert.equal(semaphore.held(), 0);
  });
});
