import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '../../test/start-app.ts';
import { isUlid, ulid } from '../ulid.ts';
import { createClampedClock } from './clamped-clock.ts';

const dayMs = 86_400_000;

test('the clamped clock follows elapsed time, and a clock that is set back', () => {
  const clock = testClock(100 * dayMs);
  const clamped = createClampedClock(clock.now, clock.monotonicMs);
  clock.advance(40 * dayMs);
  assert.equal(clamped(), 140 * dayMs);
  clock.set(138 * dayMs);
  assert.equal(clamped(), 138 * dayMs);
});

test('the clamped clock follows a clock that is set ahead by at most one hour', () => {
  const clock = testClock(100 * dayMs);
  const clamped = createClampedClock(clock.now, clock.monotonicMs);
  clock.set(140 * dayMs);
  assert.equal(clamped(), 100 * dayMs + 3_600_000);
  clock.advance(dayMs);
  assert.equal(clamped(), 101 * dayMs + 3_600_000);
  clock.set(101 * dayMs);
  assert.equal(clamped(), 101 * dayMs);
});

test('the clamped clock has whole milliseconds after the wall clock has jumped ahead', () => {
  const clock = testClock(100 * dayMs);
  const clamped = createClampedClock(clock.now, () => clock.monotonicMs() + 0.7);
  clock.set(101 * dayMs);
  assert.equal(clamped(), 100 * dayMs + 3_600_000);
  assert.equal(isUlid(ulid(clamped())), true);
});

test('the clamped clock follows a wall clock that stays ahead for long enough, and no shorter one', () => {
  const clock = testClock(100 * dayMs);
  const clamped = createClampedClock(clock.now, clock.monotonicMs, 600_000);
  clock.set(102 * dayMs);
  assert.equal(clamped(), 100 * dayMs + 3_600_000);
  clock.advance(599_000);
  assert.equal(clamped(), 100 * dayMs + 599_000 + 3_600_000);
  clock.set(100 * dayMs + 599_000);
  assert.equal(clamped(), 100 * dayMs + 599_000);
  clock.set(102 * dayMs);
  clamped();
  clock.advance(600_000);
  assert.equal(clamped(), 102 * dayMs + 600_000);
  clock.set(104 * dayMs);
  assert.equal(clamped(), 102 * dayMs + 600_000 + 3_600_000);
});
