import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchStalls } from '../../test/event-loop-stalls.ts';
import { until } from '../../test/eventually.ts';
import { type FaultyProxy, startFaultyProxy } from '../../test/faulty-proxy.ts';
import { runJobs } from '../../test/run-jobs.ts';
import { missingService, redisUrl } from '../../test/services.ts';
import type { Caller } from '../http/endpoint.ts';
import { createDistributedThroughput } from './distributed-throughput.ts';
import { type Alone, LateAnswer, type TokenRequest } from './limit-counters.ts';
import { createRedisCounters, type RedisCounters } from './redis-counters.ts';

const skip = await missingService(redisUrl);

function callerOf(rateLimit: number): Caller {
  return {
    keyId: 'key',
    accountId: randomUUID(),
    environment: 'production',
    plan: { id: 'plan', name: 'Plan', pro: true, credits: 1, rateLimit, blocklistEntries: 0 },
    overage: false,
    accountName: 'Jane Doe',
    accountEmail: 'jane@example.com',
    accountCreatedAtMs: 0,
  };
}

const wish = (capacity: number, wanted: number): TokenRequest => ({
  capacity,
  expected: capacity,
  wanted,
  owed: 0,
  alone: null,
});

describe('counts in Redis', { skip }, () => {
  const open: RedisCounters[] = [];
  const lines: FaultyProxy[] = [];
  after(async () => {
    for (const line of lines) line.close();
    await Promise.all(running.map((jobs) => jobs.stop()));
    await Promise.all(open.map((counts) => counts.close()));
  });
  const startLine = async () => {
    const line = await startFaultyProxy(await redisUrl());
    lines.push(line);
    return line;
  };
  const running: { stop(): Promise<void> }[] = [];
  const told: string[] = [];
  const start = async (namespace: string, url?: string) => {
    const counts = createRedisCounters({
      url: url ?? (await redisUrl()),
      namespace,
      self: randomUUID(),
      onUnavailable: () => told.push('away'),
      onAvailable: () => told.push('back'),
    });
    open.push(counts);
    running.push(runJobs(counts.jobs, { mayFail: true }));
    await until(() =>
      counts
        .blocksSince(0)
        .then(() => true)
        .catch(() => false),
    );
    return counts;
  };

  it('counts in Redis give out a bucket once, whoever asks, and refill it with time', async () => {
    const namespace = randomUUID();
    const each = [await start(namespace), await start(namespace), await start(namespace)];
    const taken = await Promise.all(each.map((counts) => counts.takeTokens('a', wish(5, 4))));
    assert.equal(
      taken.reduce((sum, answer) => sum + answer.taken, 0),
      5,
    );
    await until(async () => (await each[0]?.takeTokens('a', wish(5, 1)))?.taken === 1);
    assert.equal((await each[0]?.takeTokens('other', wish(1, 1)))?.taken, 1);
  });

  /** What is left of a bucket after a wish for nothing, to the nearest thousand: time passes, and ten tokens come a second. */
  const thousands = async (counts: RedisCounters, owed: number, alone: Alone | null = null) =>
    Math.round((await counts.takeTokens('a', { capacity: 10, expected: 10, wanted: 0, owed, alone })).left / 1_000);
  const aloneFor = (forMs: number, share: number, earned = 77_000): Alone => ({ forMs, share, perSecond: 5, earned });

  it('counts in Redis take what was granted without asking off the bucket', async () => {
    const counts = await start(randomUUID());
    assert.equal(await thousands(counts, 4_000), -4);
    assert.equal(await thousands(counts, 3_000), -7);
    assert.equal(await thousands(counts, -2_000), -5);
  });

  it('counts in Redis begin a bucket that was lost with what came to who is back first, and others add theirs', async () => {
    const counts = await start(randomUUID());
    const longMs = 300_000;
    assert.equal(await thousands(counts, 50_000, aloneFor(longMs, 33_000, -9_000)), -9);
    assert.equal(await thousands(counts, 50_000, aloneFor(longMs, 33_000, 4_000)), -5);
    // Who was alone only since then took from a bucket that was there.
    assert.equal(await thousands(counts, 2_000, aloneFor(0.001, 33_000, 4_000)), -7);
  });

  it('counts in Redis begin a bucket anew that nobody could reach for a while', async () => {
    const counts = await start(randomUUID());
    assert.equal(await thousands(counts, 20_000), -20);
    assert.equal(await thousands(counts, 1_000, aloneFor(300_000, -3_000)), -21);
    const touchedAt = performance.now();
    await until(() => performance.now() - touchedAt > 300);
    assert.equal(await thousands(counts, 1_000, aloneFor(0.001, -3_000)), -22);
    const touchedAgainAt = performance.now();
    await until(() => performance.now() - touchedAgainAt > 300);
    assert.equal(await thousands(counts, 1_000, aloneFor(300_000, -3_000)), -3);
  });

  it('counts in Redis that were away longer than a bucket is kept cost an account no more than a moment', async (t) => {
    const line = await startLine();
    const namespace = randomUUID();
    const all = await Promise.all([1, 2, 3].map(() => start(namespace, line.url)));
    for (const counts of all) await until(() => counts.processes() === 3);
    const perSecond = 100;
    const caller = callerOf(perSecond);
    const [beganAt, passed] = [performance.now(), (ms: number) => until(() => performance.now() - beganAt > ms)];
    let granted = 0;
    let isOver = false;
    const stalls = watchStalls();
    t.after(() => stalls.stop());
    const asking = all.map(async (counts) => {
      const { take } = createDistributedThroughput(
        counts,
        () => performance.now(),
        () => {},
      );
      while (!isOver) {
        if ((await take(caller)).allowed) granted += 1;
        else await sleep(5);
      }
    });
    await passed(1_000);
    await line.set('slow');
    await passed(4_000);
    await line.set('through');
    await passed(6_000);
    isOver = true;
    await Promise.all(asking);
    const most = perSecond * (1 + (performance.now() - beganAt) / 1_000);
    // Meanwhile nobody asked, and what comes to a bucket that is full is lost.
    const asked = most - (perSecond * stalls.totalMs()) / 1_000;
    assert.ok(granted <= most && granted > 0.9 * asked, `${granted} of ${most}, ${asked} of them asked for`);
  });

  it('counts in Redis grant lookups without a key so many times an hour, and say when the next is granted', async () => {
    const namespace = randomUUID();
    const [one, other] = [await start(namespace), await start(namespace)];
    assert.equal(await one.takeAnonymous('192.0.2.1', 2), 0);
    assert.equal(await other.takeAnonymous('192.0.2.1', 2), 0);
    const waitMs = await one.takeAnonymous('192.0.2.1', 2);
    assert.ok(waitMs > 3_500_000 && waitMs <= 3_600_000, `${waitMs}`);
    assert.equal(await other.takeAnonymous('192.0.2.2', 2), 0);
  });

  it('counts in Redis block an address by the refusals of all, and tell each of it once', async () => {
    const namespace = randomUUID();
    const [one, other] = [await start(namespace), await start(namespace)];
    await one.recordRefusal('192.0.2.1', 3);
    await other.recordRefusal('192.0.2.1', 3);
    assert.deepEqual((await one.blocksSince(0)).blocks, []);
    await one.recordRefusal('192.0.2.1', 3);
    const { blocks, position } = await other.blocksSince(0);
    assert.deepEqual(
      blocks.map(({ address }) => address),
      ['192.0.2.1'],
    );
    assert.ok((blocks[0]?.leftMs ?? 0) > 290_000);
    assert.deepEqual(await other.blocksSince(position), { blocks: [], position });
  });

  it('counts in Redis know how many processes there are, without those that ended', async () => {
    const namespace = randomUUID();
    const [one, other] = [await start(namespace), await start(namespace)];
    await until(() => one.processes() === 2);
    await other.close();
    await until(() => one.processes() === 1);
  });

  it('counts in Redis that came back are not believed at once when they know of fewer processes', async () => {
    const line = await startLine();
    const namespace = randomUUID();
    const [counts, other, third] = [await start(namespace, line.url), await start(namespace), await start(namespace)];
    await until(() => counts.processes() === 3);
    await third.close();
    // Fewer are believed in only after some time, so some time has passed.
    await until(() => counts.processes() === 2);
    await line.set('refused');
    await until(counts.isUnavailable);
    await other.close();
    await line.set('through');
    await until(() => !counts.isUnavailable());
    assert.equal(counts.processes(), 2);
    await until(() => counts.processes() === 1);
  });

  it('counts in Redis keep namespaces apart', async () => {
    const [one, other] = [await start(randomUUID()), await start(randomUUID())];
    assert.equal((await one.takeTokens('a', wish(1, 1))).taken, 1);
    assert.equal((await other.takeTokens('a', wish(1, 1))).taken, 1);
  });

  for (const fault of ['refused', 'silent'] as const) {
    it(`counts in Redis that become ${fault} leave a process its share of the bucket, and are used again when they are back`, async () => {
      const line = await startLine();
      const namespace = randomUUID();
      const counts = await start(namespace, line.url);
      await start(namespace);
      await until(() => counts.processes() === 2);
      let alone = 0;
      let nowMs = 0;
      const throughput = createDistributedThroughput(
        counts,
        () => nowMs,
        () => {
          alone += 1;
        },
      );
      const caller = callerOf(10);
      assert.equal((await throughput.take(caller)).allowed, true);
      assert.equal(alone, 0);
      told.length = 0;
      await line.set(fault);
      // Nine are left in the bucket: half of them, in whole requests, is the share of one of two processes.
      const answers = [];
      for (let count = 0; count < 6; count += 1) answers.push((await throughput.take(caller)).allowed);
      assert.deepEqual(answers, [true, true, true, true, false, false]);
      assert.equal(alone, 6);
      nowMs += 200;
      assert.equal((await throughput.take(caller)).allowed, true);
      assert.equal((await throughput.take(caller)).allowed, false);
      await line.set('through');
      await until(() => !counts.isUnavailable());
      assert.deepEqual(told, ['away', 'back']);
      // On a machine so busy that Redis answers late, one or the other may still be counted alone.
      await until(async () => {
        const before = alone;
        return (await throughput.take(caller)).allowed && alone === before;
      });
    });
  }
});

describe('shared throughput', () => {
  /** Answers when the test says so, with a bucket that nothing is added to. */
  function slowBucket(tokens: number) {
    const asked: number[] = [];
    let answer = (): void => {};
    let left = tokens;
    const counts = {
      takeTokens(_account: string, { wanted }: TokenRequest) {
        asked.push(wanted);
        const taken = Math.min(left, wanted);
        left -= taken;
        const told = left;
        return new Promise<{ taken: number; left: number }>((resolve) => {
          answer = () => resolve({ taken, left: told });
        });
      },
      processes: () => 1,
      isUnavailable: () => false,
    };
    return { asked, answer: () => answer(), counts };
  }

  it('shared throughput asks once for all requests that came while it asked, and grants in the order they came', async () => {
    const { asked, answer, counts } = slowBucket(3);
    const { take } = createDistributedThroughput(
      counts,
      () => 0,
      () => {},
    );
    const caller = callerOf(10);
    const answers = Array.from({ length: 5 }, () => take(caller));
    answer();
    await answers[0];
    await new Promise(setImmediate);
    answer();
    const settled = await Promise.all(answers);
    assert.deepEqual(asked, [1, 4]);
    assert.deepEqual(
      settled.map(({ allowed, remaining }) => [allowed, remaining]),
      [
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ],
    );
  });

  it('shared throughput expects no full bucket where it heard of an empty one a moment ago', async () => {
    const expected: number[] = [];
    let nowMs = 0;
    const counts = {
      async takeTokens(_account: string, wish: TokenRequest) {
        expected.push(wish.expected);
        return { taken: wish.wanted, left: 0 };
      },
      processes: () => 2,
      isUnavailable: () => false,
    };
    const { take } = createDistributedThroughput(
      counts,
      () => nowMs,
      () => {},
    );
    const caller = callerOf(10);
    for (const passedMs of [0, 0, 500, 2_000]) {
      nowMs += passedMs;
      await take(caller);
    }
    assert.deepEqual(expected, [10, 0, 5, 10]);
  });

  it('shared throughput tells the common bucket what it granted alone, once', async () => {
    const owed: number[] = [];
    let isUnavailable = true;
    const counts = {
      async takeTokens(_account: string, { wanted, owed: debt }: TokenRequest) {
        owed.push(debt);
        return { taken: wanted, left: 5 };
      },
      processes: () => 2,
      isUnavailable: () => isUnavailable,
    };
    const { take } = createDistributedThroughput(
      counts,
      () => 0,
      () => {},
    );
    const caller = callerOf(10);
    // Half of the bucket is its share; the sixth request is refused and costs nothing.
    for (let asked = 0; asked < 6; asked += 1) await take(caller);
    isUnavailable = false;
    await take(caller);
    await take(caller);
    assert.deepEqual(owed, [5, 0]);
  });

  it('shared throughput tells what came to its share alone, less what it granted, whatever the share held before', async () => {
    const told: (Alone | null)[] = [];
    let isUnavailable = false;
    let nowMs = 0;
    const counts = {
      async takeTokens(_account: string, { wanted, alone }: TokenRequest) {
        told.push(alone);
        return { taken: wanted, left: 8 };
      },
      processes: () => 2,
      isUnavailable: () => isUnavailable,
    };
    const { take } = createDistributedThroughput(
      counts,
      () => nowMs,
      () => {},
    );
    const caller = callerOf(10);
    await take(caller);
    isUnavailable = true;
    for (let asked = 0; asked < 3; asked += 1) await take(caller);
    nowMs += 400;
    isUnavailable = false;
    await take(caller);
    assert.deepEqual(told, [null, { forMs: 400, share: 3, perSecond: 5, earned: -1 }]);
  });

  it('shared throughput gives back what was taken by a question that it had given up', async () => {
    const owed: number[] = [];
    const late = Promise.withResolvers<{ taken: number; left: number }>();
    const counts = {
      async takeTokens(_account: string, { wanted, owed: debt }: TokenRequest) {
        owed.push(debt);
        if (owed.length === 2) throw new LateAnswer('late', late.promise);
        return { taken: wanted, left: 10 };
      },
      processes: () => 2,
      isUnavailable: () => false,
    };
    const { take } = createDistributedThroughput(
      counts,
      () => 0,
      () => {},
    );
    const caller = callerOf(10);
    for (let asked = 0; asked < 3; asked += 1) await take(caller);
    late.resolve({ taken: 1, left: 9 });
    await new Promise(setImmediate);
    await take(caller);
    // One was granted alone and told with the next question; the one that was taken late is returned after that.
    assert.deepEqual(owed, [0, 0, 1, -1]);
  });
});
