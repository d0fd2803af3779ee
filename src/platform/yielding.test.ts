import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLoopGuard, createYielder } from './yielding.ts';

const busyFor = (ms: number): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

describe('createYielder', () => {
  it('lets a task continue until its slice is used up', () => {
    let nowMs = 0;
    const yieldWhenDue = createYielder(() => nowMs);
    nowMs = 4.9;
    assert.equal(yieldWhenDue(), null);
    nowMs = 5;
    assert.ok(yieldWhenDue() instanceof Promise);
  });

  it('resumes one task per iteration of the event loop, however many yield', async () => {
    let nowMs = 0;
    let iteration = 0;
    let isOver = false;
    const count = () => {
      iteration += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const iterations: number[] = [];
    const task = async () => {
      const yieldWhenDue = createYielder(() => nowMs);
      for (let slice = 0; slice < 5; slice += 1) {
        nowMs += 5;
        await yieldWhenDue();
        iterations.push(iteration);
      }
    };
    await Promise.all([task(), task(), task()]);
    isOver = true;
    assert.equal(iterations.length, 15);
    assert.equal(new Set(iterations).size, 15, iterations.join(' '));
  });
});

describe('createLoopGuard', () => {
  it('yields once calls have held the event loop for a slice, and not before', async () => {
    const guard = createLoopGuard(20);
    let others = 0;
    setImmediate(() => {
      others += 1;
    });
    assert.equal(guard(), null);
    assert.equal(others, 0);
    busyFor(25);
    await guard();
    assert.equal(others, 1);
  });

  it('starts a new slice after the event loop has run', async () => {
    const guard = createLoopGuard(20);
    guard();
    busyFor(25);
    await guard();
    await new Promise((done) => setImmediate(done));
    assert.equal(guard(), null);
  });
});
