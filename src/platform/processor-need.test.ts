import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProcessorNeed } from './processor-need.ts';

function createTestNeed() {
  const state = { nowMs: 0, cpuMs: 0, idleMs: 0 };
  const need = createProcessorNeed({
    nowMs: () => state.nowMs,
    cpuMs: () => state.cpuMs,
    idleMs: () => state.idleMs,
  });
  /** Two seconds in steps of 100 ms. */
  const pass = (step: { requests: number; highMs: number; lowMs: number; idleMs: number }): number => {
    let share = 0;
    for (let count = 0; count < 20; count += 1) {
      for (let request = 0; request < step.requests; request += 1) need.countHighPriority();
      need.charge(step.lowMs);
      state.cpuMs += step.highMs + step.lowMs;
      state.idleMs += step.idleMs;
      state.nowMs += 100;
      share = need.highPriorityShare();
    }
    return share;
  };
  return { state, need, pass };
}

describe('the processor time that high-priority requests need', () => {
  it('one cheap request a second needs next to nothing, however busy low-priority work is', () => {
    assert.ok(createTestNeed().pass({ requests: 1, highMs: 0.1, lowMs: 90, idleMs: 9.9 }) < 0.01);
  });

  it('requests that use all that low-priority work leaves need most of the processor', () => {
    const share = createTestNeed().pass({ requests: 100, highMs: 90, lowMs: 10, idleMs: 0 });
    assert.ok(Math.abs(share - 0.9) < 0.01, String(share));
  });

  it('the estimate is the same when other programs leave this process a tenth of the processor', () => {
    const share = createTestNeed().pass({ requests: 10, highMs: 9, lowMs: 1, idleMs: 0 });
    assert.ok(Math.abs(share - 0.9) < 0.01, String(share));
  });

  it('many requests in a process without idle time need half of it, however little low-priority work leaves them', () => {
    assert.equal(createTestNeed().pass({ requests: 20, highMs: 5, lowMs: 95, idleMs: 0 }), 0.5);
    assert.ok(createTestNeed().pass({ requests: 20, highMs: 5, lowMs: 55, idleMs: 40 }) < 0.1);
  });

  it('the connections of management requests alone are no need of others', () => {
    const { need, pass } = createTestNeed();
    need.countLowPriority();
    assert.equal(pass({ requests: 0, highMs: 50, lowMs: 50, idleMs: 0 }), 0);
  });

  it('the need falls to zero within a second after the last request', () => {
    const { pass } = createTestNeed();
    pass({ requests: 100, highMs: 90, lowMs: 10, idleMs: 0 });
    assert.equal(pass({ requests: 0, highMs: 0, lowMs: 10, idleMs: 90 }), 0);
  });
});
