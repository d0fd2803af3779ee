import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { testClock } from '../../../test/start-app.ts';
import { testCaller } from '../../../test/test-caller.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import { AppError } from '../../errors.ts';
import type { Caller } from '../../http/endpoint.ts';
import { createCredits } from './credits.ts';
import { createUsageStore, type UsageStore } from './usage-store.ts';

const day = 86_400_000;
const created = Date.UTC(2026, 0, 31, 10);
let accounts = 0;
function newCaller(credits: number, overage = false): Caller {
  accounts += 1;
  return testCaller({ accountId: `account-${accounts}`, credits, overage, createdAtMs: created });
}

await describeEngines('credits', (fresh) => {
  let db: Db;
  let store: UsageStore;
  before(async () => {
    db = await openDatabase(await fresh());
    store = createUsageStore(db);
  });
  after(() => db.close());

  const start = (nowMs = Date.UTC(2026, 5, 15)) => {
    const clock = testClock(nowMs);
    return { clock, credits: createCredits(store, clock.now) };
  };
  const used = async (credits: ReturnType<typeof createCredits>, caller: Caller) => (await credits.usage(caller)).used;
  const usedInStorage = async (callers: readonly Caller[]) => {
    const rows = await db.read.selectFrom('usage').select(['account_id', 'used']).execute();
    const byAccount = new Map(rows.map((row) => [row.account_id, row.used]));
    return callers.map(({ accountId }) => byAccount.get(accountId));
  };

  it('used credits are counted immediately and survive a restart', async () => {
    const { credits, clock } = start();
    const caller = newCaller(100);
    for (const cost of [1, 1, 3]) assert.equal((await credits.reserve(caller, cost)).granted, true);
    assert.equal(await used(credits, caller), 5);
    await credits.buffer.flush();
    assert.equal(await used(createCredits(store, clock.now), caller), 5);
  });

  it('credits above the plan are refused, and the refusal contains the credits left', async () => {
    const { credits } = start(Date.UTC(2026, 5, 29, 23, 59, 58, 500));
    const caller = newCaller(3);
    await credits.reserve(caller, 2);
    assert.deepEqual(await credits.reserve(caller, 2), { granted: false, left: 1 });
    assert.equal((await credits.reserve(caller, 1)).granted, true);
    assert.equal(await used(credits, caller), 3);
  });

  it('credits may go below zero with overage [D53]', async () => {
    const { credits } = start();
    const caller = newCaller(1, true);
    for (let count = 0; count < 3; count += 1) assert.equal((await credits.reserve(caller, 3)).granted, true);
    assert.equal(await used(credits, caller), 9);
  });

  it('released credits can be used again', async () => {
    const { credits } = start();
    const caller = newCaller(1);
    const first = await credits.reserve(caller, 1);
    assert.equal(first.granted, true);
    assert.equal((await credits.reserve(caller, 1)).granted, false);
    if (first.granted) first.release(1);
    assert.equal((await credits.reserve(caller, 1)).granted, true);
    await credits.buffer.flush();
    assert.equal(await used(createCredits(store, start().clock.now), caller), 1);
  });

  it('credits are released to the month in which they were granted', async () => {
    const { credits, clock } = start(Date.UTC(2026, 5, 29, 23, 59));
    const caller = newCaller(5);
    const held = await credits.reserve(caller, 2);
    clock.set(Date.UTC(2026, 5, 30, 0, 1));
    await credits.reserve(caller, 1);
    if (held.granted) held.release(2);
    await credits.buffer.flush();
    assert.equal(await used(credits, caller), 1);
    const rows = await db.read.selectFrom('usage').selectAll().where('account_id', '=', caller.accountId).execute();
    assert.deepEqual(rows.map((row) => Number(row.used)).sort(), [1]);
  });

  it('used credits start at zero in each cycle, without roll-over [D52]', async () => {
    const { credits, clock } = start(Date.UTC(2026, 1, 27, 12));
    const caller = newCaller(10);
    await credits.reserve(caller, 4);
    assert.equal((await credits.usage(caller)).resetAtMs, Date.UTC(2026, 1, 28));
    clock.set(Date.UTC(2026, 1, 28));
    assert.deepEqual(await credits.usage(caller), { used: 0, resetAtMs: Date.UTC(2026, 2, 31) });
    await credits.reserve(caller, 10);
    assert.equal((await credits.reserve(caller, 1)).granted, false);
    await credits.buffer.flush();
    const rows = await db.read.selectFrom('usage').selectAll().where('account_id', '=', caller.accountId).execute();
    assert.deepEqual(rows.map((row) => Number(row.used)).sort(), [10, 4]);
  });

  it('used credits are not reset again when the clock goes back two days [Q7]', async () => {
    const { credits, clock } = start(Date.UTC(2026, 5, 30, 12));
    const caller = newCaller(10);
    await credits.reserve(caller, 7);
    clock.set(Date.UTC(2026, 5, 28, 12));
    assert.equal(await used(credits, caller), 7);
    await credits.buffer.flush();
    const restarted = createCredits(store, clock.now);
    assert.equal(await used(restarted, caller), 7);
    assert.equal((await restarted.reserve(caller, 4)).granted, false);
    clock.set(Date.UTC(2026, 5, 30, 12));
    assert.equal(await used(restarted, caller), 7);
  });

  it('credits are still granted after the clock jumps ahead 40 days and back [Q8]', async () => {
    const { credits, clock } = start();
    const caller = newCaller(10);
    await credits.reserve(caller, 6);
    await credits.buffer.flush();
    const beforeMs = clock.now();
    clock.set(beforeMs + 40 * day);
    assert.equal(await used(credits, caller), 0);
    assert.equal((await credits.reserve(caller, 10)).granted, true);
    await credits.buffer.flush();
    clock.set(beforeMs);
    assert.equal(await used(credits, caller), 6);
    assert.equal((await credits.reserve(caller, 4)).granted, true);
    assert.equal((await credits.reserve(caller, 1)).granted, false);
  });

  it('credits used by two processes add up', async () => {
    const [one, other] = [start().credits, start().credits];
    const caller = newCaller(100);
    await one.reserve(caller, 1);
    await other.reserve(caller, 2);
    await Promise.all([one.buffer.flush(), other.buffer.flush()]);
    assert.equal(await used(start().credits, caller), 3);
  });

  it('used credits are kept while the database is unavailable, and written afterwards', async () => {
    let isUnavailable = true;
    const flaky: UsageStore = {
      ...store,
      add: (changes) => (isUnavailable ? Promise.reject(new AppError('service_unavailable')) : store.add(changes)),
    };
    const { clock } = start();
    const credits = createCredits(flaky, clock.now);
    const caller = newCaller(10);
    await credits.reserve(caller, 3);
    await assert.rejects(() => credits.buffer.flush());
    await credits.reserve(caller, 1);
    isUnavailable = false;
    await credits.buffer.flush();
    assert.equal(await used(createCredits(store, clock.now), caller), 4);
  });

  it('used credits of many accounts are written in batches, exactly for each account', async () => {
    const sizes: number[] = [];
    const counted: UsageStore = {
      newest: async () => null,
      add(changes) {
        sizes.push(changes.length);
        return store.add(changes);
      },
    };
    const { clock } = start();
    const credits = createCredits(counted, clock.now);
    const callers = Array.from({ length: 1_201 }, () => newCaller(10_000));
    for (const round of [1, 2]) {
      await Promise.all(callers.map((caller, index) => credits.reserve(caller, index + round)));
      await credits.buffer.flush();
    }
    assert.deepEqual(sizes, [500, 500, 201, 500, 500, 201]);
    const expected = callers.map((_, index) => 2 * index + 3);
    assert.deepEqual(await Promise.all(callers.map((caller) => used(credits, caller))), expected);
    assert.deepEqual(await usedInStorage(callers), expected);
  });

  it('used credits of a failed batch and of the batches after it are kept and written by the next flush', async () => {
    let calls = 0;
    const flaky: UsageStore = {
      newest: async () => null,
      add(changes) {
        calls += 1;
        return calls === 2 ? Promise.reject(new AppError('service_unavailable')) : store.add(changes);
      },
    };
    const { clock } = start();
    const credits = createCredits(flaky, clock.now);
    const callers = Array.from({ length: 1_100 }, () => newCaller(10));
    await Promise.all(callers.map((caller) => credits.reserve(caller, 1)));
    await assert.rejects(credits.buffer.flush());
    assert.equal(credits.buffer.pending(), 600);
    await credits.buffer.flush();
    assert.deepEqual(
      await usedInStorage(callers),
      callers.map(() => 1),
    );
  });

  it('credits used in a month before and after the clock jumps ahead and back add up in one flush', async () => {
    const { credits, clock } = start();
    const caller = newCaller(10);
    await credits.reserve(caller, 2);
    const beforeMs = clock.now();
    clock.set(beforeMs + 40 * day);
    await credits.reserve(caller, 1);
    clock.set(beforeMs);
    await credits.reserve(caller, 3);
    await credits.buffer.flush();
    assert.equal(await used(createCredits(store, clock.now), caller), 5);
  });

  it('all keys of an account use the same credits, also after the clock jumps ahead and back', async () => {
    const { credits, clock } = start();
    const one = newCaller(6);
    const other = testCaller({ accountId: one.accountId, credits: 6, createdAtMs: created });
    const useOneEach = async () => {
      for (const caller of [one, other]) assert.equal((await credits.reserve(caller, 1)).granted, true);
      await credits.buffer.flush();
    };
    await useOneEach();
    const beforeMs = clock.now();
    clock.set(beforeMs + 40 * day);
    await useOneEach();
    clock.set(beforeMs);
    await useOneEach();
    await useOneEach();
    for (const caller of [one, other]) {
      assert.deepEqual(await credits.reserve(caller, 1), { granted: false, left: 0 });
      assert.equal(await used(credits, caller), 6);
    }
  });

  it('credits used during a flush are not lost', async () => {
    const { credits, clock } = start();
    const caller = newCaller(1_000);
    await credits.reserve(caller, 1);
    const flushing = credits.buffer.flush();
    await credits.reserve(caller, 2);
    await flushing;
    assert.equal(await used(credits, caller), 3);
    await credits.buffer.flush();
    assert.equal(await used(createCredits(store, clock.now), caller), 3);
  });
});

describe('credits over HTTP', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ work: () => new Promise((resolve) => setImmediate(resolve)) });
  });
  after(() => server.close());
  const usage = async (key: string) =>
    (await server.request<{ usage: { current: number; remaining: number } }>('GET', '/status', { key })).json.usage;

  it('credits over HTTP are counted exactly: of 50 concurrent requests with 10 credits left, 10 succeed [Q1]', async () => {
    const key = await server.createKey({ credits: 10 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => server.request('GET', '/domain/fine', { key })));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    assert.deepEqual([count(200), count(429)], [10, 40]);
    const { current, remaining } = await usage(key);
    assert.deepEqual([current, remaining], [10, 0]);
  });

  it('credits over HTTP are charged only when the answer is 200 [D49]', async () => {
    const key = await server.createKey({ credits: 10 });
    const statuses: number[] = [];
    for (const name of ['invalid', 'missing', 'broken', 'away', 'fine']) {
      statuses.push((await server.request('GET', `/domain/${name}`, { key })).status);
    }
    assert.deepEqual(statuses, [400, 404, 500, 503, 200]);
    assert.equal((await usage(key)).current, 1);
  });

  it('credits over HTTP are not charged for status, blocklist and management calls [D50]', async () => {
    const key = await server.createKey({ credits: 10 });
    await server.request('GET', '/blocklist/fine', { key });
    await server.request('POST', '/blocklist', { key, body: {} });
    assert.equal((await usage(key)).current, 0);
  });

  it('credits over HTTP are reported as 0 remaining when overdrawn [D119]', async () => {
    const key = await server.createKey({ credits: 1 }, { overage: true });
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await server.request('GET', '/domain/fine', { key })).status, 200);
    }
    const { current, remaining } = await usage(key);
    assert.deepEqual([current, remaining], [3, 0]);
  });
});
