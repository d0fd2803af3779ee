import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSlidingWindow } from './sliding-window.ts';

describe('a sliding window', () => {
  const start = () => {
    let nowMs = 0;
    const take = createSlidingWindow({ limit: 2, windowMs: 10_000 }, () => nowMs);
    return { take, pass: (ms: number) => (nowMs += ms) };
  };

  test('allows the limit, then returns the seconds until the oldest event leaves the window', () => {
    const { take, pass } = start();
    assert.equal(take('a'), 0);
    pass(4_000);
    assert.deepEqual([take('a'), take('a')], [0, 6]);
    pass(5_500);
    assert.equal(take('a'), 1);
    pass(500);
    assert.equal(take('a'), 0);
  });

  test('rejected events do not extend the wait, and keys are counted apart', () => {
    const { take, pass } = start();
    for (let event = 0; event < 10; event += 1) take('a');
    assert.equal(take('b'), 0);
    pass(10_000);
    assert.equal(take('a'), 0);
  });
});
