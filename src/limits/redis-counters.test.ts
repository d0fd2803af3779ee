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
import type { TokenRequest } from '../http/limit-counters.ts';
import { createDistributedThroughput } from './distributed-throughput.ts';
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

const requestOf = (capacity: number, wanted: number): TokenRequest => ({
  capacity,
  knownLevel: capacity,
  wanted,
  owed: 0,
});

describe('Redis counters', { skip }, () => {
  const open: RedisCounters[] = [];
  const lines: FaultyProxy[] = [];
  after(async () => {
    for (const line of lines) line.close();
    await Promise.all(running.map((jobs) => jobs.stop()));
    await Promise.all(open.map((counters) => counters.close()));
  });
  const startLine = async () => {
    const line = await startFaultyProxy(await redisUrl());
    lines.push(line);
    return line;
  };
  const running: { stop(): Promise<void> }[] = [];
  const reported: string[] = [];
  const start = async (namespace: string, url?: string) => {
    const counters = createRedisCounters({
      url: url ?? (await redisUrl()),
      namespace,
      self: randomUUID(),
      onUnavailable: () => reported.push('unavailable'),
      onAvailable: () => reported.push('available'),
    });
    open.push(counters);
    running.push(runJobs(counters.jobs, { mayFail: true }));
    await until(() =>
      counters
        .blocksSince(0)
        .then(() => true)
        .catch(() => false),
    );
    return counters;
  };

  it('Redis counters grant each token to one process only, and refill the bucket over time', async () => {
    const namespace = randomUUID();
    const each = [await start(namespace), await start(namespace), await start(namespace)];
    const taken = await Promise.all(each.map((counters) => counters.takeTokens('a', requestOf(5, 4))));
    assert.equal(
      taken.reduce((sum, answer) => sum + answer.taken, 0),
      5,
    );
    await until(async () => (await each[0]?.takeTokens('a', requestOf(5, 1)))?.taken === 1);
    assert.equal((await each[0]?.takeTokens('other', requestOf(1, 1)))?.taken, 1);
  });

  /** The tokens left after a request for none, to the nearest thousand: the bucket gets ten a second meanwhile. */
  const thousandsLeft = async (counters: RedisCounters, { knownLevel = 10, owed = 0 }) =>
    Math.round((await counters.takeTokens('a', { capacity: 10, knownLevel, wanted: 0, owed })).left / 1_000);

  it('Redis counters subtract tokens that a process granted from its share', async () => {
    const counters = await start(randomUUID());
    assert.equal(await thousandsLeft(counters, { owed: 4_000 }), -4);
    assert.equal(await thousandsLeft(counters, { owed: 3_000 }), -7);
  });

  it('Redis counters start a missing bucket at the last known level', async () => {
    const counters = await start(randomUUID());
    assert.equal(await thousandsLeft(counters, { knownLevel: -5_000 }), -5);
  });

  it('Redis counters lower a bucket to the share of a process that counted without it, and never raise it', async () => {
    const counters = await start(randomUUID());
    assert.equal(await thousandsLeft(counters, {}), 0);
    assert.equal(await thousandsLeft(counters, { knownLevel: -3_000, owed: 2_000 }), -5);
    assert.equal(await thousandsLeft(counters, { knownLevel: -1_000, owed: 1 }), -5);
    assert.equal(await thousandsLeft(counters, { knownLevel: -9_000 }), -5);
  });

  it('distributed throughput grants nearly the full rate, and no more, while Redis is slow for three seconds', async (t) => {
    const line = await startLine();
    const namespace = randomUUID();
    const all = await Promise.all([1, 2, 3].map(() => start(namespace, line.url)));
    for (const counters of all) await until(() => counters.processes() === 3);
    const perSecond = 100;
    const caller = callerOf(perSecond);
    const [beganAt, passed] = [performance.now(), (ms: number) => until(() => performance.now() - beganAt > ms)];
    let granted = 0;
    let isOver = false;
    const stalls = watchStalls();
    t.after(() => stalls.stop());
    const asking = all.map(async (counters) => {
      const { take } = createDistributedThroughput(
        counters,
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
    // No request was sent while the event loop stalled, and a full bucket discards its refill.
    const asked = most - (perSecond * stalls.totalMs()) / 1_000;
    assert.ok(granted <= most && granted > 0.9 * asked, `${granted} of ${most}, ${asked} of them asked for`);
  });

  it('Redis counters limit the events of a window, and return when the next is allowed', async () => {
    const namespace = randomUUID();
    const [one, other] = [await start(namespace), await start(namespace)];
    const window = { name: 'anonymous', limit: 2, windowMs: 3_600_000 };
    assert.equal(await one.takeFromWindow(window, '192.0.2.1'), 0);
    assert.equal(await other.takeFromWindow(window, '192.0.2.1'), 0);
    const waitMs = await one.takeFromWindow(window, '192.0.2.1');
    assert.ok(waitMs > 3_500_000 && waitMs <= 3_600_000, `${waitMs}`);
    assert.equal(await other.takeFromWindow(window, '192.0.2.2'), 0);
  });

  it('Redis counters block an address after the refusals of all processes, and list the block once to each', async () => {
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

  it('Redis counters report no outage while they connect and after they are closed', async () => {
    const outages: unknown[] = [];
    const counters = createRedisCounters({
      url: await redisUrl(),
      namespace: randomUUID(),
      self: randomUUID(),
      onUnavailable: (error) => outages.push(error),
      onAvailable: () => outages.push('available'),
    });
    // The connection is not ready yet.
    await assert.rejects(counters.takeTokens('a', requestOf(1, 1)));
    await until(() => !counters.isUnavailable());
    await counters.close();
    await until(counters.isUnavailable);
    assert.deepEqual(outages, []);
  });

  it('Redis counters report a Redis that refuses the first connection', async () => {
    const line = await startLine();
    await line.set('refused');
    const outages: unknown[] = [];
    const counters = createRedisCounters({
      url: line.url,
      namespace: randomUUID(),
      self: randomUUID(),
      onUnavailable: (error) => outages.push(error),
      onAvailable: () => {},
    });
    open.push(counters);
    await assert.rejects(counters.takeTokens('a', requestOf(1, 1)));
    await until(() => outages.length === 1);
  });

  it('Redis counters count the processes, without those that were closed', async () => {
    const namespace = randomUUID();
    const [one, other] = [await start(namespace), await start(namespace)];
    await until(() => one.processes() === 2);
    await other.close();
    await until(() => one.processes() === 1);
  });

  it('Redis counters keep the number of processes for three announcements after an outage', async () => {
    const line = await startLine();
    const namespace = randomUUID();
    const [counters, other, third] = [await start(namespace, line.url), await start(namespace), await start(namespace)];
    await until(() => counters.processes() === 3);
    await third.close();
    // A lower number takes three announcements, so the first ones after the start are over.
    await until(() => counters.processes() === 2);
    await line.set('refused');
    await until(counters.isUnavailable);
    await other.close();
    await line.set('through');
    await until(() => !counters.isUnavailable());
    assert.equal(counters.processes(), 2);
    await until(() => counters.processes() === 1);
  });

  it('Redis counters keep namespaces apart', async () => {
    const [one, other] = [await start(randomUUID()), await start(randomUUID())];
    assert.equal((await one.takeTokens('a', requestOf(1, 1))).taken, 1);
    assert.equal((await other.takeTokens('a', requestOf(1, 1))).taken, 1);
  });

  for (const fault of ['refused', 'silent'] as const) {
    it(`distributed throughput grants from its share while Redis is ${fault}, and uses Redis again afterwards`, async () => {
      const line = await startLine();
      const namespace = randomUUID();
      const counters = await start(namespace, line.url);
      await start(namespace);
      await until(() => counters.processes() === 2);
      let fallbacks = 0;
      let nowMs = 0;
      const throughput = createDistributedThroughput(
        counters,
        () => nowMs,
        () => {
          fallbacks += 1;
        },
      );
      const caller = callerOf(10);
      assert.equal((await throughput.take(caller)).allowed, true);
      assert.equal(fallbacks, 0);
      reported.length = 0;
      await line.set(fault);
      // Nine tokens are left. The share of one of two processes is 4.5, which allows four requests.
      const answers = [];
      for (let count = 0; count < 6; count += 1) answers.push((await throughput.take(caller)).allowed);
      assert.deepEqual(answers, [true, true, true, true, false, false]);
      assert.equal(fallbacks, 6);
      nowMs += 200;
      assert.equal((await throughput.take(caller)).allowed, true);
      assert.equal((await throughput.take(caller)).allowed, false);
      await line.set('through');
      await until(() => !counters.isUnavailable());
      assert.deepEqual(reported, ['unavailable', 'available']);
      // On a busy machine Redis may answer late, and a request is granted from the share again.
      await until(async () => {
        const before = fallbacks;
        return (await throughput.take(caller)).allowed && fallbacks === before;
      });
    });
  }
});
