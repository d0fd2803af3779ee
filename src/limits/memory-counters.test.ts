import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDistributedThroughput } from './distributed-throughput.ts';
import { createMemoryCounters } from './memory-counters.ts';

describe('memory counters', () => {
  const start = () => {
    let nowMs = 0;
    const counters = createMemoryCounters(() => nowMs);
    return {
      counters,
      nowMs: () => nowMs,
      pass(ms: number) {
        nowMs += ms;
      },
    };
  };

  it('memory counters grant each token once, refill over time, and subtract tokens granted from a share', async () => {
    const { counters, pass } = start();
    const take = (account: string, wanted: number, { knownLevel = 10, owed = 0 } = {}) =>
      counters.takeTokens(account, { capacity: 10, knownLevel, wanted, owed });
    assert.deepEqual(await take('a', 8), { taken: 8, left: 2 });
    assert.deepEqual(await take('a', 4), { taken: 2, left: 0 });
    pass(200);
    assert.deepEqual(await take('a', 4), { taken: 2, left: 0 });
    pass(60_000);
    assert.deepEqual(await take('a', 40), { taken: 10, left: 0 });
    assert.deepEqual(await take('b', 1, { owed: 4 }), { taken: 1, left: 5 });
    assert.deepEqual(await take('b', 1, { knownLevel: 3, owed: 1 }), { taken: 1, left: 1 });
    assert.deepEqual(await take('b', 1, { owed: 4 }), { taken: 0, left: -3 });
  });

  it('two processes with memory counters grant no more than one bucket in a burst', async () => {
    const { counters, pass, nowMs } = start();
    const shared = { ...counters, processes: () => 2, isUnavailable: () => false };
    const both = [1, 2].map(() => createDistributedThroughput(shared, nowMs, assert.fail));
    const caller = { accountId: 'a', plan: { rateLimit: 2_000 } };
    const grantedOf = async (requests: number): Promise<number> => {
      const answers = await Promise.all(Array.from({ length: requests }, (_, index) => both[index % 2]?.take(caller)));
      return answers.filter((answer) => answer?.allowed).length;
    };
    assert.equal(await grantedOf(3_000), 2_000);
    pass(500);
    assert.equal(await grantedOf(3_000), 1_000);
    pass(5_000);
    assert.equal(await grantedOf(3_000), 2_000);
  });

  it('memory counters limit the events of a window', async () => {
    const { counters, pass } = start();
    const window = { name: 'anonymous', limit: 1, windowMs: 3_600_000 };
    assert.equal(await counters.takeFromWindow(window, '192.0.2.1'), 0);
    pass(600_000);
    assert.equal(await counters.takeFromWindow(window, '192.0.2.1'), 3_000_000);
    assert.equal(await counters.takeFromWindow(window, '192.0.2.2'), 0);
    pass(3_000_000);
    assert.equal(await counters.takeFromWindow(window, '192.0.2.1'), 0);
  });

  it('memory counters block an address after repeated refusals, and list the block once', async () => {
    const { counters, pass } = start();
    for (let count = 0; count < 2; count += 1) await counters.recordRefusal('127.0.0.1', 3);
    assert.deepEqual(await counters.blocksSince(0), { blocks: [], position: 0 });
    await counters.recordRefusal('127.0.0.1', 3);
    pass(1_000);
    assert.deepEqual(await counters.blocksSince(0), {
      blocks: [{ address: '127.0.0.1', leftMs: 299_000 }],
      position: 1,
    });
    assert.deepEqual(await counters.blocksSince(1), { blocks: [], position: 1 });
    pass(300_000);
    for (let count = 0; count < 3; count += 1) await counters.recordRefusal('192.0.2.7', 3);
    const { blocks, position } = await counters.blocksSince(1);
    assert.deepEqual([blocks.map(({ address }) => address), position], [['192.0.2.7'], 2]);
  });
});
