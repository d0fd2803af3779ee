import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { createCohorts } from './cohort.ts';

describe('a cohort', () => {
  it('a cohort is done at the end of the round, in the order it came', async () => {
    const done: number[] = [];
    const inCohort = createCohorts(10);
    for (const piece of [1, 2, 3]) inCohort(() => done.push(piece));
    assert.deepEqual(done, []);
    await nextRound();
    assert.deepEqual(done, [1, 2, 3]);
  });

  it('a cohort is done at once when it is full, and what comes after it at the end of the round', async () => {
    const done: number[] = [];
    const inCohort = createCohorts(2);
    for (const piece of [1, 2, 3]) inCohort(() => done.push(piece));
    assert.deepEqual(done, [1, 2]);
    await nextRound();
    assert.deepEqual(done, [1, 2, 3]);
  });

  it('a cohort that brings up more work of its kind leaves it to the next', async () => {
    const done: string[] = [];
    const inCohort = createCohorts(10);
    inCohort(() => {
      inCohort(() => done.push('brought up'));
      done.push('first');
    });
    inCohort(() => done.push('second'));
    await nextRound();
    assert.deepEqual(done, ['first', 'second']);
    await nextRound();
    assert.deepEqual(done, ['first', 'second', 'brought up']);
  });
});
