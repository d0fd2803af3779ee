import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { until } from '../../../test/eventually.ts';
import { testClock } from '../../../test/start-app.ts';
import { testCaller } from '../../../test/test-caller.ts';
import { type ChangeWatch, watchChanges } from '../../../test/watch-changes.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import { AppError } from '../../errors.ts';
import type { Caller } from '../../http/endpoint.ts';
import {
  type CreditLeaseStore,
  createCreditLeaseStore,
  creditHoldersTopic,
  creditsWantedTopic,
} from './credit-lease-store.ts';
import { createLeasedCredits, type LeasedCredits } from './leased-credits.ts';
import { createUsageStore } from './usage-store.ts';

const day = 86_400_000;
const watching = { monotonicMs: () => performance.now(), intervalMs: 50 };
let accounts = 0;
function newCaller(credits: number, overage = false): Caller {
  accounts += 1;
  return testCaller({ accountId: `account-${accounts}`, credits, overage, createdAtMs: Date.UTC(2026, 0, 31, 10) });
}

await describeEngines('leased credits', (fresh) => {
  let db: Db;
  const watches: ChangeWatch[] = [];
  before(async () => {
    db = await openDatabase(await fresh());
  });
  after(async () => {
    for (const watch of watches) watch.stop();
    await db.close();
  });

  let processes = 0;
  const nextName = () => {
    processes += 1;
    return `process-${processes}`;
  };
  const start = (nowMs = Date.UTC(2026, 5, 15), wrap = (store: CreditLeaseStore): CreditLeaseStore => store) => {
    const clock = testClock(nowMs);
    const name = nextName();
    const leases = wrap(createCreditLeaseStore(db, name, clock.now));
    return { name, clock, leases, credits: createLeasedCredits(createUsageStore(db), leases, clock) };
  };
  /** Releases unspent credits on request of other processes, as a service does. */
  const listen = async (credits: LeasedCredits) => {
    const onChange = (topic: string, accountId: string) => {
      if (topic !== creditsWantedTopic) return;
      credits.releaseUnspent(accountId);
      void credits.buffer.flush();
    };
    const watch = watchChanges(db, watching, onChange, () => {});
    watches.push(watch);
    await watch.ready;
  };
  const isGranted = async (credits: LeasedCredits, caller: Caller, cost = 1) =>
    (await credits.reserve(caller, cost)).granted;
  const used = async (credits: LeasedCredits, caller: Caller) => (await credits.usage(caller)).used;
  const stored = async ({ accountId }: Caller) => {
    const rows = await db.read.selectFrom('usage').select('used').where('account_id', '=', accountId).execute();
    return rows.map((row) => row.used).sort();
  };

  /** Three processes that release credits on request and flush spent credits, as a service does. */
  const startThree = async () => {
    const each = [start().credits, start().credits, start().credits];
    await Promise.all(each.map(listen));
    const flush = () => Promise.all(each.map((credits) => credits.buffer.flush()));
    const flushes = setInterval(() => void flush(), 20);
    const stop = async () => {
      clearInterval(flushes);
      await flush();
    };
    return { each, stop };
  };
  /** The number of credits granted to clients that reserve until they are refused. */
  const race = async (clients: readonly LeasedCredits[], caller: Caller): Promise<number> => {
    let granted = 0;
    const ask = async (credits: LeasedCredits): Promise<void> => {
      while (await isGranted(credits, caller)) granted += 1;
    };
    await Promise.all(clients.map(ask));
    return granted;
  };

  it('leased credits are counted immediately, and the next process continues from their total', async () => {
    const { credits, leases } = start();
    const caller = newCaller(100);
    for (const cost of [1, 1, 3]) assert.equal(await isGranted(credits, caller, cost), true);
    assert.equal(await used(credits, caller), 5);
    await credits.buffer.flush();
    await leases.releaseOwn();
    assert.equal(await used(start().credits, caller), 5);
    assert.deepEqual(
      await db.read.selectFrom('credit_leases').selectAll().where('account_id', '=', caller.accountId).execute(),
      [],
    );
  });

  it('leased credits above the plan are refused, and the refusal contains the credits left', async () => {
    const { credits } = start();
    const caller = newCaller(3);
    await credits.reserve(caller, 2);
    assert.deepEqual(await credits.reserve(caller, 2), { granted: false, left: 1 });
    assert.equal(await isGranted(credits, caller), true);
    assert.deepEqual(await credits.reserve(caller, 1), { granted: false, left: 0 });
    assert.equal(await used(credits, caller), 3);
  });

  it('leased credits are granted immediately after a change to a larger plan', async () => {
    const { credits } = start();
    const caller = newCaller(1);
    assert.deepEqual([await isGranted(credits, caller), await isGranted(credits, caller)], [true, false]);
    const larger = { ...caller, plan: { ...caller.plan, credits: 2 } };
    assert.deepEqual([await isGranted(credits, larger), await isGranted(credits, larger)], [true, false]);
  });

  it('leased credits may go below zero with overage', async () => {
    const { credits } = start();
    const caller = newCaller(1, true);
    for (let count = 0; count < 3; count += 1) assert.equal(await isGranted(credits, caller, 3), true);
    await credits.buffer.flush();
    assert.deepEqual(await stored(caller), [9]);
    assert.equal(await isGranted(credits, { ...caller, overage: false }), false);
  });

  it('released leased credits can be used again, also by another process', async () => {
    const [one, other] = [start().credits, start().credits];
    const caller = newCaller(1);
    await listen(one);
    const first = await one.reserve(caller, 1);
    assert.equal(first.granted, true);
    await one.buffer.flush();
    if (first.granted) first.release(1);
    await one.buffer.flush();
    assert.equal(await isGranted(other, caller), true);
    assert.equal(await isGranted(one, caller), false);
    await Promise.all([one.buffer.flush(), other.buffer.flush()]);
    assert.deepEqual(await stored(caller), [1]);
  });

  it('leased credits stay in their month when the clock jumps ahead and back', async () => {
    const { credits, clock } = start();
    const caller = newCaller(10);
    await credits.reserve(caller, 2);
    const beforeMs = clock.now();
    clock.set(beforeMs + 40 * day);
    await credits.reserve(caller, 1);
    clock.set(beforeMs);
    await credits.reserve(caller, 3);
    await credits.buffer.flush();
    assert.deepEqual(await stored(caller), [1, 5]);
    assert.equal(await used(credits, caller), 5);
  });

  it('leased credits are granted exactly when three processes race for the last ones', async () => {
    const caller = newCaller(2_000);
    const { each, stop } = await startThree();
    const clients = Array.from({ length: 60 }, (_, client) => each[client % 3] as LeasedCredits);
    assert.equal(await race(clients, caller), 2_000);
    await stop();
    assert.deepEqual(await stored(caller), [2_000]);
  });

  it('leased credits of many accounts are granted in one batch, exactly for each account', async () => {
    const sizes: number[] = [];
    const { credits } = start(undefined, (store) => ({
      ...store,
      acquire(requests) {
        sizes.push(requests.length);
        return store.acquire(requests);
      },
    }));
    const callers = Array.from({ length: 300 }, (_, index) => newCaller(index));
    const granted = await Promise.all(callers.map((caller) => isGranted(credits, caller)));
    assert.deepEqual(granted, [false, ...Array.from({ length: 299 }, () => true)]);
    assert.ok(sizes.length < 30, `${sizes.length} transactions`);
    const left = await Promise.all(callers.slice(1).map((caller, index) => isGranted(credits, caller, index)));
    assert.ok(left.every(Boolean), 'the remaining credits can be used');
    assert.ok(!(await Promise.all(callers.map((caller) => isGranted(credits, caller)))).includes(true));
  });

  it('leased credits are granted exactly when three processes race for those of thirty accounts', async () => {
    const callers = Array.from({ length: 30 }, () => newCaller(60));
    const { each, stop } = await startThree();
    // Each process requests the accounts in a different order.
    const turned = (index: number) => [...each.slice(index % 3), ...each.slice(0, index % 3)];
    const granted = await Promise.all(callers.map((caller, index) => race(turned(index), caller)));
    await stop();
    assert.deepEqual(granted, Array(30).fill(60));
    for (const caller of callers) assert.deepEqual(await stored(caller), [60]);
  });

  it('leased credits of an idle process are released to a process that needs them', async () => {
    const [idle, busy] = [start().credits, start().credits];
    const caller = newCaller(10);
    await listen(idle);
    assert.equal(await isGranted(idle, caller), true);
    for (let count = 0; count < 9; count += 1) assert.equal(await isGranted(busy, caller), true);
    assert.equal(await isGranted(busy, caller), false);
    assert.equal(await isGranted(idle, caller), false);
  });

  it('processes with leased credits know their number, and are notified of a new process', async () => {
    const [one, other] = [start(), start()];
    const before = await one.leases.heartbeat();
    const topics: string[] = [];
    const watch = watchChanges(
      db,
      watching,
      (topic) => topics.push(topic),
      () => {},
    );
    watches.push(watch);
    await watch.ready;
    assert.equal(await other.leases.heartbeat(), before + 1);
    assert.equal(await one.leases.heartbeat(), before + 1);
    await until(() => topics.includes(creditHoldersTopic));
    await other.leases.releaseOwn();
    assert.equal(await one.leases.heartbeat(), before);
    assert.deepEqual(topics, [creditHoldersTopic], 'only its first heartbeat is announced');
  });

  it('leased credits of a dead process are free after a minute, except those it spent', async () => {
    const [dead, living] = [start(), start()];
    const caller = newCaller(10);
    await dead.credits.reserve(caller, 4);
    await dead.credits.buffer.flush();
    const seen = { seen_at: Date.now() - 61_000 };
    await db.write.updateTable('instances').set(seen).where('id', '=', dead.name).execute();
    assert.equal(await isGranted(living.credits, caller, 6), true);
    assert.equal(await isGranted(living.credits, caller), false);
  });

  it('leased credits are written once when the database commits but its response is lost', async () => {
    let isLost = true;
    const { credits } = start(undefined, (store) => ({
      ...store,
      async write(spendings) {
        const totals = await store.write(spendings);
        if (isLost) throw new AppError('service_unavailable');
        return totals;
      },
    }));
    const caller = newCaller(10);
    await credits.reserve(caller, 3);
    await assert.rejects(credits.buffer.flush());
    await credits.reserve(caller, 1);
    await assert.rejects(credits.buffer.flush());
    isLost = false;
    await credits.buffer.flush();
    assert.deepEqual(await stored(caller), [4]);
  });

  it('leased credits are granted up to the lease while the database is unavailable', async () => {
    let isUnavailable = false;
    const fail = () => Promise.reject(new AppError('service_unavailable'));
    const { credits } = start(undefined, (store) => ({
      ...store,
      acquire: (requests) => (isUnavailable ? fail() : store.acquire(requests)),
      write: (spendings) => (isUnavailable ? fail() : store.write(spendings)),
    }));
    const caller = newCaller(100);
    await credits.reserve(caller, 1);
    isUnavailable = true;
    let granted = 1;
    await assert.rejects(async () => {
      for (;;) {
        await credits.reserve(caller, 1);
        granted += 1;
      }
    }, AppError);
    assert.ok(granted >= 16 && granted <= 100, `${granted} granted`);
    await assert.rejects(credits.buffer.flush());
    isUnavailable = false;
    while (await isGranted(credits, caller)) granted += 1;
    assert.equal(granted, 100);
    await credits.buffer.flush();
    assert.deepEqual(await stored(caller), [100]);
  });

  it('leased credits used by other processes are reported within a second', async () => {
    const [one, other] = [start(), start()];
    const caller = newCaller(1_000);
    await one.credits.reserve(caller, 1);
    await other.credits.reserve(caller, 2);
    await other.credits.buffer.flush();
    one.clock.advance(300);
    assert.equal(await used(one.credits, caller), 3);
  });

  it('leased credits of many accounts are written in batches, exactly for each account', async () => {
    const sizes: number[] = [];
    const { credits } = start(undefined, (store) => ({
      ...store,
      write(spendings) {
        sizes.push(spendings.length);
        return store.write(spendings);
      },
    }));
    const callers = Array.from({ length: 1_100 }, () => newCaller(10_000, true));
    await Promise.all(callers.map((caller, index) => credits.reserve(caller, index + 1)));
    await credits.buffer.flush();
    assert.deepEqual(sizes, [1_000, 100]);
    for (const [index, caller] of callers.entries()) assert.deepEqual(await stored(caller), [index + 1]);
  });

  it('leased credits are not acquired while the same month is being written', async () => {
    const gate = Promise.withResolvers<void>();
    const writeStarted = Promise.withResolvers<void>();
    let acquisitions = 0;
    const { credits, name } = start(undefined, (store) => ({
      ...store,
      async write(spendings) {
        writeStarted.resolve();
        await gate.promise;
        return store.write(spendings);
      },
      acquire(requests) {
        acquisitions += 1;
        return store.acquire(requests);
      },
    }));
    const caller = newCaller(100);
    assert.equal(await isGranted(credits, caller), true);
    const flushing = credits.buffer.flush();
    await writeStarted.promise;
    const second = isGranted(credits, caller, 60);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    assert.equal(acquisitions, 1);
    gate.resolve();
    await flushing;
    assert.equal(await second, true);
    const held = db.read.selectFrom('credit_leases').select('granted').where('holder', '=', name);
    assert.ok((await held.executeTakeFirstOrThrow()).granted >= 61);
    assert.equal(await isGranted(start().credits, caller, 40), false);
  });

  it('leased credits are not written by a flush while the same month is being acquired', async () => {
    const gate = Promise.withResolvers<void>();
    const written: number[] = [];
    const { credits } = start(undefined, (store) => ({
      ...store,
      write(spendings) {
        written.push(spendings.length);
        return store.write(spendings);
      },
      async acquire(requests) {
        if (requests.some(({ spending }) => spending.spent > 0)) await gate.promise;
        return store.acquire(requests);
      },
    }));
    const caller = newCaller(100);
    assert.equal(await isGranted(credits, caller), true);
    const second = isGranted(credits, caller, 60);
    await new Promise(setImmediate);
    const flushing = credits.buffer.flush();
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    gate.resolve();
    assert.equal(await second, true);
    await flushing;
    assert.deepEqual(
      written.filter((months) => months > 0),
      [],
    );
    await credits.buffer.flush();
    assert.deepEqual(await stored(caller), [61]);
  });
});
