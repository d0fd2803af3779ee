import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anonymousCaller } from '../accounts/anonymous.ts';
import { createDistributedAnonymous } from './distributed-anonymous.ts';
import { createMemoryCounters } from './memory-counters.ts';

const inProcess = { caller: anonymousCaller, retryAfterSeconds: 7 };

function start(perHour: number) {
  const state = { nowMs: 0, isUnavailable: false, isFailing: false, fallbacks: 0 };
  const memory = createMemoryCounters(() => state.nowMs);
  const counted: string[] = [];
  const counters = {
    ...memory,
    takeAnonymous(address: string, limit: number) {
      counted.push(address);
      return state.isFailing ? Promise.reject(new Error('refused')) : memory.takeAnonymous(address, limit);
    },
    processes: () => 2,
    isUnavailable: () => state.isUnavailable,
  };
  const take = createDistributedAnonymous(
    counters,
    perHour,
    () => inProcess,
    () => {
      state.fallbacks += 1;
    },
  );
  return { counted, state, take };
}

describe('distributed lookups without a key', () => {
  it('distributed lookups without a key are not allowed when the limit is 0', async () => {
    const { take } = start(0);
    assert.equal(await take('192.0.2.1'), null);
  });

  it('distributed lookups without a key are counted by address, and a refusal says when the next is allowed', async () => {
    const { state, take } = start(1);
    assert.deepEqual(await take('192.0.2.1'), { caller: anonymousCaller, retryAfterSeconds: 0 });
    state.nowMs += 1_800_000;
    assert.deepEqual(await take('192.0.2.1'), { caller: anonymousCaller, retryAfterSeconds: 1_800 });
    assert.deepEqual(await take('192.0.2.2'), { caller: anonymousCaller, retryAfterSeconds: 0 });
    assert.equal(state.fallbacks, 0);
  });

  it('distributed lookups without a key count all addresses of an IPv6 /64 as one client', async () => {
    const { counted, take } = start(1);
    assert.equal((await take('2001:db8::1'))?.retryAfterSeconds, 0);
    assert.equal((await take('2001:db8::2'))?.retryAfterSeconds, 3_600);
    assert.equal(new Set(counted).size, 1);
  });

  for (const fault of ['isUnavailable', 'isFailing'] as const) {
    it(`distributed lookups without a key are counted in the process when the shared counters answer ${fault}, and each is reported`, async () => {
      const { state, take } = start(1);
      state[fault] = true;
      assert.equal(await take('192.0.2.1'), inProcess);
      assert.equal(state.fallbacks, 1);
    });
  }
});
