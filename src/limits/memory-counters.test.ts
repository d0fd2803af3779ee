import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDistributedThroughput } from './distributed-throughput.ts';
import { createMemoryCounters } from './memory-counters.ts';

describe('counts in the memory of a parent', () => {
  const start = () => {
    let nowMs = 0;
    const counts = createMemoryCounters(() => nowMs, 2);
    return {
      counts,
      nowMs: () => nowMs,
      pass(ms: number) {
        nowMs += ms;
      },
    };
  };

  it('counts in memory give out a bucket once, refill it with time and take off it what was granted without asking', async () => {
    const { counts, pass } = start();
    const take = (account: string, wanted: number, owed = 0) =>
      counts.takeTokens(account, { capacity: 10, expected: 10, wanted, owed, alone: null });
    assert.deepEqual(await take('a', 8), { taken: 8, left: 2, ahead: 0 });
    assert.deepEqual(await take('a', 4), { taken: 2, left: 0, ahead: 0 });
    pass(200);
    assert.deepEqual(await take('a', 4), { taken: 2, left: 0, ahead: 0 });
    pass(60_000);
    assert.deepEqual(await take('a', 40), { taken: 10, left: 0, ahead: 0 });
    assert.deepEqual(await take('b', 1, 4), { taken: 1, left: 5, ahead: 0 });
    assert.deepEqual(await take('b', 1, 8), { taken: 0, left: -3, ahead: 0 });
  });

  it('counts in memory give out some tokens ahead while there is plenty, and have less room as long as they may be used', async () => {
    const { counts, pass } = start();
    const take = (wanted: number, owed = 0) =>
      counts.takeTokens('a', { capacity: 1_000, expected: 1_000, wanted, owed, alone: null });
    assert.deepEqual(await take(1), { taken: 1, left: 994, ahead: 5 });
    // The others may have theirs at the same time: a hundredth of the bucket is with them, and it fills up to the rest.
    assert.deepEqual(await take(1), { taken: 1, left: 984, ahead: 5 });
    pass(49);
    assert.deepEqual(await take(0), { taken: 0, left: 985, ahead: 5 });
    // What was not used comes back, and then there is room again.
    pass(51);
    assert.deepEqual(await take(0, -15), { taken: 0, left: 995, ahead: 5 });
    assert.deepEqual(await take(600), { taken: 600, left: 390, ahead: 0 });
  });

  it('processes that count in memory ask seldom while there is plenty, and get no more than the bucket in a burst', async () => {
    const { counts, pass, nowMs } = start();
    let questions = 0;
    const takeTokens: typeof counts.takeTokens = (...wish) => {
      questions += 1;
      return counts.takeTokens(...wish);
    };
    const shared = { takeTokens, processes: () => 2, isUnavailable: () => false };
    const both = [1, 2].map(() => createDistributedThroughput(shared, nowMs, assert.fail));
    const caller = { accountId: 'a', plan: { rateLimit: 2_000 } };
    const ask = async (times: number): Promise<number> => {
      const answers = await Promise.all(Array.from({ length: times }, (_, place) => both[place % 2]?.take(caller)));
      return answers.filter((answer) => answer?.allowed).length;
    };
    for (let count = 0; count < 100; count += 1) {
      assert.equal(await ask(2), 2);
      pass(1);
    }
    assert.ok(questions < 40, `${questions} questions for 200 requests`);
    // Both have some ahead, and the bucket had the time to get full.
    pass(40);
    const granted = (await ask(1_500)) + (await ask(1_500));
    assert.ok(granted <= 2_000 && granted >= 1_980, `${granted}`);
    // What one had ahead for longer than it may be used is not lost.
    pass(1_000);
    const again = (await ask(1_500)) + (await ask(1_500));
    assert.ok(again <= 2_000 && again >= 1_980, `${again}`);
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
