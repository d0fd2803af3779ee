import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '../../test/start-app.ts';
import { steadyClock } from './steady-clock.ts';

const dayMs = 86_400_000;

test('a steady clock follows time as it passes, and a clock that is set back', () => {
  const clock = testClock(100 * dayMs);
  const steady = steadyClock(clock.now, clock.monotonicMs);
  clock.advance(40 * dayMs);
  assert.equal(steady(), 140 * dayMs);
  clock.set(138 * dayMs);
  assert.equal(steady(), 138 * dayMs);
});

test('a steady clock follows a clock that is set ahead by an hour at most', () => {
  const clock = testClock(100 * dayMs);
  const steady = steadyClock(clock.now, clock.monotonicMs);
  clock.set(140 * dayMs);
  assert.equal(steady(), 100 * dayMs + 3_600_000);
  clock.advance(dayMs);
  assert.equal(steady(), 101 * dayMs + 3_600_000);
  clock.set(101 * dayMs);
  assert.equal(steady(), 101 * dayMs);
});
