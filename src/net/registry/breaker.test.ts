import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBreaker } from './breaker.ts';

function setUp() {
  const clock = { nowMs: 1_000_000 };
  return { clock, breaker: createBreaker({ now: () => clock.nowMs }) };
}

function failTimes(breaker: ReturnType<typeof createBreaker>, key: string, times: number) {
  for (let count = 0; count < times; count++) {
    assert.equal(breaker.allows(key), true);
    breaker.failed(key);
  }
}

describe('a breaker', () => {
  it('a breaker opens after five failures in a row, for that server only', () => {
    const { breaker } = setUp();
    failTimes(breaker, 'a', 5);
    assert.equal(breaker.allows('a'), false);
    assert.equal(breaker.allows('b'), true);
    assert.equal(breaker.open(), 1);
  });

  it('a breaker forgets failures at a success', () => {
    const { breaker } = setUp();
    failTimes(breaker, 'a', 4);
    breaker.succeeded('a');
    failTimes(breaker, 'a', 4);
    assert.equal(breaker.allows('a'), true);
  });

  it('a breaker allows exactly one request after a minute', () => {
    const { breaker, clock } = setUp();
    failTimes(breaker, 'a', 5);
    clock.nowMs += 59_999;
    assert.equal(breaker.allows('a'), false);
    clock.nowMs += 1;
    assert.equal(breaker.allows('a'), true);
    assert.equal(breaker.allows('a'), false);
    breaker.succeeded('a');
    assert.equal(breaker.allows('a'), true);
    assert.equal(breaker.allows('a'), true);
  });

  it('a breaker opens again when that request fails, and allows another when its result is undecided', () => {
    const { breaker, clock } = setUp();
    failTimes(breaker, 'a', 5);
    clock.nowMs += 60_000;
    assert.equal(breaker.allows('a'), true);
    breaker.undecided('a');
    assert.equal(breaker.allows('a'), true);
    breaker.failed('a');
    assert.equal(breaker.allows('a'), false);
    clock.nowMs += 60_000;
    assert.equal(breaker.allows('a'), true);
  });

  it('a breaker does not stay open when the clock is set back', () => {
    const { breaker, clock } = setUp();
    failTimes(breaker, 'a', 5);
    clock.nowMs -= 2 * 86_400_000;
    assert.equal(breaker.allows('a'), true);
  });
});
