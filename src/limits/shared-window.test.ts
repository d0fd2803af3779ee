import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemoryCounters } from './memory-counters.ts';
import { createSharedWindow } from './shared-window.ts';

const window = { name: 'events', limit: 1, windowMs: 3_600_000 };

function start() {
  const state = { nowMs: 0, isUnavailable: false, isFailing: false, fallbacks: 0 };
  const memory = createMemoryCounters(() => state.nowMs);
  const counters = {
    ...memory,
    takeFromWindow: (...args: Parameters<typeof memory.takeFromWindow>) =>
      state.isFailing ? Promise.reject(new Error('refused')) : memory.takeFromWindow(...args),
    processes: () => 2,
    isUnavailable: () => state.isUnavailable,
  };
  const take = () =>
    createSharedWindow(
      counters,
      window,
      () => state.nowMs,
      () => {
        state.fallbacks += 1;
      },
    );
  return { state, processes: [take(), take()] as const };
}

describe('a shared window', () => {
  it('a shared window counts the events of all processes by key, and a refusal says when the next is allowed', async () => {
    const { state, processes } = start();
    const [one, other] = processes;
    assert.equal(await one('192.0.2.1'), 0);
    state.nowMs += 1_800_000;
    assert.equal(await other('192.0.2.1'), 1_800);
    assert.equal(await other('192.0.2.2'), 0);
    assert.equal(state.fallbacks, 0);
  });

  for (const fault of ['isUnavailable', 'isFailing'] as const) {
    it(`a shared window counts in the process when the shared counters answer ${fault}, and reports each count`, async () => {
      const { state, processes } = start();
      const [one, other] = processes;
      state[fault] = true;
      assert.deepEqual([await one('192.0.2.1'), await one('192.0.2.1'), await other('192.0.2.1')], [0, 3_600, 0]);
      assert.equal(state.fallbacks, 3);
    });
  }
});
