import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { createRequestQueue } from './request-queue.ts';

describe('the request queue', () => {
  it('the request queue runs work at the end of the iteration, in order of arrival', async () => {
    const done: number[] = [];
    const enqueue = createRequestQueue(10);
    for (const piece of [1, 2, 3]) enqueue(() => done.push(piece));
    assert.deepEqual(done, []);
    await nextIteration();
    assert.deepEqual(done, [1, 2, 3]);
  });

  it('the request queue leaves work beyond its limit to the next iterations', async () => {
    const done: number[] = [];
    const enqueue = createRequestQueue(2);
    for (const piece of [1, 2, 3, 4, 5]) enqueue(() => done.push(piece));
    for (const expected of [
      [1, 2],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
    ]) {
      await nextIteration();
      assert.deepEqual(done, expected);
    }
  });

  it('the request queue runs work that arrives while it runs in a later iteration, once', async () => {
    const done: string[] = [];
    const enqueue = createRequestQueue(10);
    enqueue(() => {
      enqueue(() => done.push('later'));
      done.push('first');
    });
    enqueue(() => done.push('second'));
    await nextIteration();
    assert.deepEqual(done, ['first', 'second']);
    await nextIteration();
    await nextIteration();
    assert.deepEqual(done, ['first', 'second', 'later']);
  });
});
