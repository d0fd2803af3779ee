import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeService } from '../../test/engines.ts';
import { eventually } from '../../test/eventually.ts';
import { signalsFromFields } from '../../test/gates/signals-from-fields.ts';
import { tester } from '../../test/tester.ts';
import { type ChangeWatch, watchChanges } from '../../test/watch-changes.ts';
import { type Db, openDatabase } from '../db/db.ts';
import type { Owner } from '../http/endpoint.ts';
import type { Gate } from './gate.ts';
import { createGateCache } from './gate-cache.ts';
import { createGates } from './gates.ts';
import { createGatesStore } from './gates-store.ts';

const owner: Owner = { accountId: 'account', environment: 'production' };
const other: Owner = { accountId: 'account', environment: 'staging' };

const monotonicMs = () => 0;

function gateOf(id: string, defaultAction: Gate['defaultAction']): Gate {
  return {
    id,
    name: id,
    description: null,
    defaultAction,
    wait: [],
    rules: [],
    revision: 1,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
}

/** A store whose answers come when the test says so. */
function heldStore() {
  const asked: { gateId: string; answer(gate: Gate | null): void; fail(error: Error): void }[] = [];
  return {
    asked,
    find: (_owner: Owner, gateId: string) =>
      new Promise<Gate | null>((resolve, reject) => asked.push({ gateId, answer: resolve, fail: reject })),
  };
}

const action = async (found: ReturnType<ReturnType<typeof createGateCache>['find']>) =>
  (await found)?.decide(signalsFromFields({})).action;

describe('the cache of gates', () => {
  it('the cache of gates asks once for all who ask together, and then answers without a promise', async () => {
    const store = heldStore();
    const cache = createGateCache(store, { monotonicMs });
    const [one, two] = [cache.find(owner, 'g'), cache.find(owner, 'g')];
    assert.equal(store.asked.length, 1);
    store.asked[0]?.answer(gateOf('g', 'block'));
    assert.deepEqual([await action(one), await action(two)], ['block', 'block']);
    assert.ok(!(cache.find(owner, 'g') instanceof Promise));
    assert.equal(store.asked.length, 1);
  });

  it('a reading from before a change is never cached, nor returned to a later caller', async () => {
    const store = heldStore();
    const cache = createGateCache(store, { monotonicMs });
    const before = cache.find(owner, 'g');
    cache.changedHere(owner);
    const after = cache.find(owner, 'g');
    assert.equal(store.asked.length, 2);
    store.asked[1]?.answer({ ...gateOf('g', 'challenge'), revision: 2 });
    assert.equal(await action(after), 'challenge');
    store.asked[0]?.answer(gateOf('g', 'block'));
    assert.equal(await action(before), 'block');
    assert.equal(await action(cache.find(owner, 'g')), 'challenge');
  });

  it('the cache of gates reads a gate again that was read while something changed, and compiles it once when it is the same', async () => {
    const store = heldStore();
    const cache = createGateCache(store, { monotonicMs });
    const overtaken = cache.find(owner, 'g');
    cache.changed('account/production');
    store.asked[0]?.answer(gateOf('g', 'allow'));
    const compiled = await overtaken;
    const again = cache.find(owner, 'g');
    store.asked[1]?.answer(gateOf('g', 'allow'));
    assert.equal(await again, compiled);
    assert.equal(cache.find(owner, 'g'), compiled);
  });

  it('the cache of gates forgets the gates of a scope that changed, and no others', async () => {
    const store = {
      find: async (whose: Owner, id: string) => (whose === owner || id === 'h' ? gateOf(id, 'allow') : null),
    };
    const cache = createGateCache(store, { monotonicMs });
    await cache.find(owner, 'g');
    await cache.find(other, 'h');
    cache.changed('account/production');
    assert.ok(cache.find(owner, 'g') instanceof Promise);
    assert.ok(!(cache.find(other, 'h') instanceof Promise));
    await cache.find(owner, 'g');
    cache.changedAll();
    assert.ok(cache.find(owner, 'g') instanceof Promise);
  });

  it('the cache of gates compiles a gate again when it has changed, and not when another one has', async () => {
    let gate: Gate | null = gateOf('g', 'allow');
    const cache = createGateCache({ find: async () => gate }, { monotonicMs });
    const first = await cache.find(owner, 'g');
    cache.changed('account/production');
    assert.equal(await cache.find(owner, 'g'), first);
    assert.ok(!(cache.find(owner, 'g') instanceof Promise));
    for (const change of [{ revision: 7 }, { createdAtMs: 7 }, { updatedAtMs: 7 }]) {
      const before = await cache.find(owner, 'g');
      gate = { ...gate, ...change, defaultAction: 'block' };
      cache.changed('account/production');
      assert.notEqual(await cache.find(owner, 'g'), before);
    }
    gate = null;
    cache.changed('account/production');
    assert.deepEqual([await cache.find(owner, 'g'), cache.size()], [null, 0]);
  });

  it("the cache of gates does not give one owner's gate in memory to another owner", async () => {
    const asked: Owner[] = [];
    const store = {
      async find(whose: Owner, id: string) {
        asked.push(whose);
        return whose === owner ? gateOf(id, 'allow') : null;
      },
    };
    const cache = createGateCache(store, { monotonicMs });
    await cache.find(owner, 'g');
    assert.equal(await cache.find(other, 'g'), null);
    assert.deepEqual(asked, [owner, other]);
  });

  it('a missing gate and a failure are not remembered', async () => {
    const store = heldStore();
    const cache = createGateCache(store, { monotonicMs });
    const missing = cache.find(owner, 'g');
    store.asked[0]?.answer(null);
    assert.equal(await missing, null);
    const failing = cache.find(owner, 'g');
    store.asked[1]?.fail(new Error('away'));
    await assert.rejects(async () => failing, /away/);
    const found = cache.find(owner, 'g');
    store.asked[2]?.answer(gateOf('g', 'allow'));
    assert.equal(await action(found), 'allow');
  });

  it('the cache of gates is bounded: the gate read longest ago leaves first', async () => {
    const store = { find: async (_owner: Owner, id: string) => gateOf(id, 'allow') };
    const cache = createGateCache(store, { monotonicMs, maxSize: 5_000 });
    for (const id of ['a', 'b', 'c']) await cache.find(owner, id);
    assert.ok(cache.find(owner, 'a') instanceof Promise);
    assert.ok(!(cache.find(owner, 'c') instanceof Promise));
  });
});

await describeService('a change of a gate in this process', (fresh) => {
  let db: Db;
  let watch: ChangeWatch | undefined;
  before(async () => {
    db = await openDatabase(await fresh());
    const account = { id: owner.accountId, name: 'x', email: 'x@y.zz', plan: 'self-hosted', overage: 0, created_at: 0 };
    await db.write.insertInto('accounts').values(account).execute();
  });
  after(async () => {
    watch?.stop();
    await db.close();
  });

  it('a change of a gate in this process compiles it once, also after the change was announced to the process itself', async () => {
    const store = createGatesStore(db);
    const cache = createGateCache(store, { monotonicMs });
    const gates = createGates(store, cache, Date.now);
    const author = { ...owner, by: tester };
    const { id } = await gates.create(author, {
      ...{ name: 'g', description: null, defaultAction: 'allow', wait: [], rules: 'signup' },
    });
    const announced: string[] = [];
    watch = watchChanges(
      db,
      { monotonicMs: () => performance.now(), intervalMs: 10 },
      (_topic, scope) => {
        announced.push(scope);
        cache.changed(scope);
      },
      () => {},
    );
    await watch.ready;
    await gates.change(author, id, { defaultAction: 'block' });
    const compiled = await cache.find(owner, id);
    await eventually(async () => assert.ok(announced.length > 0));
    const again = await cache.find(owner, id);
    assert.equal(again, compiled);
    assert.equal(again?.decide(signalsFromFields({})).action, 'block');
  });
});
