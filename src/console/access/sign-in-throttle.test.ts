import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testClock } from '../../../test/start-app.ts';
import { createSignInThrottle } from './sign-in-throttle.ts';

const groupOf = (ip: string): string => ip.split(':').slice(0, 4).join(':');

describe('the throttle of sign-ins', () => {
  const setUp = () => {
    const clock = testClock(0);
    clock.advance(10_000_000);
    return { clock, throttle: createSignInThrottle(groupOf, clock.monotonicMs) };
  };

  it('waits twice as long after each wrong try, up to fifteen minutes', () => {
    const { clock, throttle } = setUp();
    const waits: number[] = [];
    for (let tries = 0; tries < 16; tries += 1) {
      const wait = throttle.begin('jane', '192.0.2.1');
      if (wait === 0) continue;
      waits.push(wait);
      clock.advance(wait * 1_000);
      assert.equal(throttle.begin('jane', '192.0.2.1'), 0);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  it('forgets wrong tries after an hour', () => {
    const { clock, throttle } = setUp();
    for (let tries = 0; tries < 3; tries += 1) throttle.begin('jane', '192.0.2.1');
    assert.equal(throttle.begin('jane', '192.0.2.1'), 1);
    clock.advance(3_600_001);
    assert.equal(throttle.begin('jane', '192.0.2.1'), 0);
    assert.equal(throttle.begin('jane', '192.0.2.1'), 0);
  });

  it('takes neighbours of one network for one place', () => {
    const { throttle } = setUp();
    for (let tries = 0; tries < 3; tries += 1) throttle.begin('jane', `2001:db8:0:1:${tries}::1`);
    assert.equal(throttle.begin('jane', '2001:db8:0:1:ffff::1'), 1);
    assert.equal(throttle.begin('jane', '2001:db8:0:2::1'), 0);
  });

  it('does not count a try that was never made', () => {
    const { throttle } = setUp();
    for (let tries = 0; tries < 30; tries += 1) {
      assert.equal(throttle.begin('jane', '192.0.2.1'), 0);
      throttle.withdrawn('jane', '192.0.2.1');
    }
  });
});
