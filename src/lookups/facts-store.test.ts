import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { createFactsStore, type Fact, type FactsStore } from './facts-store.ts';

const fact = (domain: string, learntAtMs: number, value: unknown = 'strict'): Fact => ({
  domain,
  kind: 'spf',
  value,
  source: 'dns',
  learntAtMs,
});

await describeEngines('stored facts', (fresh) => {
  let db: Db;
  let store: FactsStore;
  beforeEach(async () => {
    db = await openDatabase(await fresh());
    store = createFactsStore(db);
  });
  afterEach(() => db.close());
  const domains = async () =>
    (await db.read.selectFrom('facts').select('domain').orderBy('domain').execute()).map(({ domain }) => domain);

  it('stored facts come back as they were learnt, all of the domain that was asked for', async () => {
    const mx: Fact = { ...fact('a.test', 5), kind: 'mx', value: [{ hostname: 'mx.a.test', priority: 10 }] };
    const registration: Fact = { ...fact('a.test', 6), kind: 'registration', value: null };
    await store.save([fact('a.test', 4), fact('b.test', 4), mx, registration]);
    const byKind = (await store.load('a.test')).toSorted((one, other) => one.kind.localeCompare(other.kind));
    assert.deepEqual(byKind, [mx, registration, fact('a.test', 4)]);
    assert.deepEqual(await store.load('b.test'), [fact('b.test', 4)]);
    assert.deepEqual(await store.load('c.test'), []);
  });

  it('stored facts are replaced by newer ones', async () => {
    await store.save([fact('a.test', 4)]);
    await store.save([{ ...fact('a.test', 9, 'relaxed'), source: 'other' }]);
    assert.deepEqual(await store.load('a.test'), [{ ...fact('a.test', 9, 'relaxed'), source: 'other' }]);
  });

  it('many facts are stored together', async () => {
    await store.save(Array.from({ length: 1_201 }, (_, index) => fact(`n${index}.test`, index)));
    assert.equal((await domains()).length, 1_201);
  });

  it('pruning removes facts that are too old, and the oldest beyond the limit', async () => {
    await store.save(['a', 'b', 'c', 'd', 'e'].map((name, index) => fact(`${name}.test`, index)));
    assert.equal(await store.prune(0, 10), 1);
    assert.deepEqual(await domains(), ['b.test', 'c.test', 'd.test', 'e.test']);
    assert.equal(await store.prune(-1, 2), 2);
    assert.deepEqual(await domains(), ['d.test', 'e.test']);
    assert.equal(await store.prune(-1, 2), 0);
  });

  it('pruning removes more facts than one statement can, until it is aborted', async () => {
    await store.save(Array.from({ length: 1_201 }, (_, index) => fact(`n${index}.test`, index)));
    assert.equal(await store.prune(2_000, 10, AbortSignal.abort()), 0);
    assert.equal(await store.prune(-1, 1), 1_200);
    assert.deepEqual(await domains(), ['n1200.test']);
  });
});
