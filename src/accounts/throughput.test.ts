import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { testCaller } from '../../test/test-caller.ts';
import type { Caller } from '../http/endpoint.ts';
import { createThroughputLimiter } from './throughput.ts';

const callerOf = (accountId: string, rateLimit: number): Caller => testCaller({ accountId, rateLimit });

function limiter() {
  let nowMs = 1_000;
  const { take } = createThroughputLimiter(() => nowMs);
  return {
    take,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

describe('throughput', () => {
  it('throughput allows the first request of a plan with one request a second when the clock advances with each reading', () => {
    let nowMs = 0;
    const { take } = createThroughputLimiter(() => {
      nowMs += 1;
      return nowMs;
    });
    assert.deepEqual(
      [take(callerOf('a', 1)), take(callerOf('a', 1))].map(({ allowed }) => allowed),
      [true, false],
    );
  });

  it("throughput allows a burst of one second's worth of requests and refuses the next [D43]", () => {
    const { take } = limiter();
    const caller = callerOf('a', 15);
    for (let left = 14; left >= 0; left -= 1) {
      assert.deepEqual(take(caller), { allowed: true, limit: 15, remaining: left, retryAfterSeconds: 0 });
    }
    assert.deepEqual(take(caller), { allowed: false, limit: 15, remaining: 0, retryAfterSeconds: 1 });
  });

  it("throughput refills evenly with time, up to one second's worth of requests", () => {
    const { take, pass } = limiter();
    const caller = callerOf('a', 10);
    for (let count = 0; count < 10; count += 1) take(caller);
    pass(99);
    assert.equal(take(caller).allowed, false);
    pass(1);
    assert.equal(take(caller).allowed, true);
    pass(3_600_000);
    assert.equal(take(caller).remaining, 9);
  });

  it('throughput is counted for each account separately', () => {
    const { take } = limiter();
    assert.equal(take(callerOf('a', 1)).allowed, true);
    assert.equal(take(callerOf('a', 1)).allowed, false);
    assert.equal(take(callerOf('b', 1)).allowed, true);
  });

  it("throughput follows a change of the account's plan", () => {
    const { take, pass } = limiter();
    take(callerOf('a', 1));
    pass(1_000);
    assert.equal(take(callerOf('a', 50)).limit, 50);
    pass(1_000);
    assert.equal(take(callerOf('a', 1)).remaining, 0);
  });

  it('throughput never allows more requests than its capacity plus the refill', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat({ max: 400 }), { maxLength: 300 }), (rate, gaps) => {
        const { take, pass } = limiter();
        const caller = callerOf('a', rate);
        let passed = 0;
        let allowed = 0;
        for (const gap of gaps) {
          pass(gap);
          passed += gap;
          const answer = take(caller);
          if (answer.allowed) allowed += 1;
          assert.ok(answer.remaining >= 0 && answer.remaining < rate + 1);
        }
        assert.ok(allowed <= rate + (passed / 1000) * rate + 1e-6);
      }),
    );
  });
});
