import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemoryCounts } from './memory-counts.ts';

describe('counts in the memory of a parent', () => {
  const start = () => {
    let nowMs = 0;
    const counts = createMemoryCounts(() => nowMs);
    return {
      counts,
      pass(ms: number) {
        nowMs += ms;
      },
    };
  };

  it('counts in memory give out a bucket once, refill it with time and take off it what was granted without asking', async () => {
    const { counts, pass } = start();
    const take = (account: string, wanted: number, owed = 0) =>
      counts.takeTokens(account, { capacity: 10, expected: 10, wanted, owed, alone: null });
    assert.deepEqual(await take('a', 8), { taken: 8, left: 2 });
    assert.deepEqual(await take('a', 4), { taken: 2, left: 0 });
    pass(200);
    assert.deepEqual(await take('a', 4), { taken: 2, left: 0 });
    pass(60_000);
    assert.deepEqual(await take('a', 40), { taken: 10, left: 0 });
    assert.deepEqual(await take('b', 1, 4), { taken: 1, left: 5 });
    assert.deepEqual(await take('b', 1, 8), { taken: 0, left: -3 });
  });

  it('counts in memory grant lookups without a key so many times an hour', async () => {
    const { counts, pass } = start();
    assert.equal(await counts.takeAnonymous('192.0.2.1', 1), 0);
    pass(600_000);
    assert.equal(await counts.takeAnonymous('192.0.2.1', 1), 3_000_000);
    assert.equal(await counts.takeAnonymous('192.0.2.2', 1), 0);
    pass(3_000_000);
    assert.equal(await counts.takeAnonymous('192.0.2.1', 1), 0);
  });

  it('counts in memory block an address that is refused again and again, and tell each of it once', async () => {
    const { counts, pass } = start();
    for (let count = 0; count < 2; count += 1) await counts.recordRefusal('127.0.0.1', 3);
    assert.deepEqual(await counts.blocksSince(0), { blocks: [], position: 0 });
    await counts.recordRefusal('127.0.0.1', 3);
    pass(1_000);
    assert.deepEqual(await counts.blocksSince(0), {
      blocks: [{ address: '127.0.0.1', leftMs: 299_000 }],
      position: 1,
    });
    assert.deepEqual(await counts.blocksSince(1), { blocks: [], position: 1 });
    pass(300_000);
    for (let count = 0; count < 3; count += 1) await counts.recordRefusal('192.0.2.7', 3);
    const { blocks, position } = await counts.blocksSince(1);
    assert.deepEqual([blocks.map(({ address }) => address), position], [['192.0.2.7'], 2]);
  });
});
