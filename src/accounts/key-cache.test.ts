import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retainedHeapBytes } from '../../test/retained-heap.ts';
import { AppError } from '../errors.ts';
import { createKeyCache } from './key-cache.ts';
import { generateKey } from './key-text/key-format.ts';
import type { KeysStore } from './keys-store.ts';

type Found = Awaited<ReturnType<KeysStore['findByHash']>>;

const plan = { id: 'plan', name: 'Plan', pro: true, credits: 1, rateLimit: 1, blocklistEntries: 0 };
const account = { id: 'a', name: 'A', email: 'a@example.com', planId: 'plan', overage: false, createdAtMs: 0 };
const record = { id: 'k', accountId: 'a', environment: 'production', name: null } as const;
const found: Found = {
  key: {
    ...record,
    prefix: '',
    last4: '',
    createdAtMs: 0,
    revokedAtMs: null,
    expiresAtMs: null,
    lastUsedAtMs: null,
    publishable: null,
  },
  account,
};

/** A cache whose queries the test resolves itself. */
function gatedCache() {
  const queries: PromiseWithResolvers<Found>[] = [];
  let nowMs = 0;
  const store = {
    findByHash() {
      const query = Promise.withResolvers<Found>();
      queries.push(query);
      return query.promise;
    },
  };
  const cache = createKeyCache(
    store as unknown as KeysStore,
    new Map([['plan', plan]]),
    () => nowMs,
    () => nowMs,
  );
  return {
    cache,
    queries,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

describe('the key cache', () => {
  const key = generateKey('production');

  it('the key cache queries the database once for concurrent requests with the same key', async () => {
    const { cache, queries } = gatedCache();
    const asked = [cache.identify(key), cache.identify(key), cache.identify(key)];
    assert.equal(queries.length, 1);
    queries[0]?.resolve(found);
    for (const caller of await Promise.all(asked)) assert.equal(caller?.accountId, 'a');
    assert.equal(cache.identify(key) instanceof Promise, false);
    assert.equal(queries.length, 1);
  });

  it('the key cache does not query the database for text that cannot be a key', () => {
    const { cache, queries } = gatedCache();
    for (const wrong of ['', 'short', `${key}x`, key.slice(0, -1)]) assert.equal(cache.identify(wrong), null);
    assert.equal(queries.length, 0);
  });

  it('the key cache does not reuse a query result when the account changed during the query', async () => {
    const { cache, queries } = gatedCache();
    const asked = cache.identify(key);
    cache.forgetAccount('a');
    queries[0]?.resolve(found);
    await asked;
    const again = cache.identify(key);
    assert.equal(queries.length, 2);
    queries[1]?.resolve(null);
    assert.equal(await again, null);
  });

  it('the key cache invalidates the keys of a changed account and of no other', async () => {
    const { cache, queries } = gatedCache();
    const other = generateKey('production');
    const asked = [cache.identify(key), cache.identify(other)];
    queries[0]?.resolve(found);
    queries[1]?.resolve({ ...found, account: { ...account, id: 'b' } });
    await Promise.all(asked);
    cache.forgetAccount('a');
    assert.equal(cache.identify(key) instanceof Promise, true);
    assert.equal(cache.identify(other) instanceof Promise, false);
    cache.forgetAll();
    assert.equal(cache.identify(other) instanceof Promise, true);
    for (const query of queries) query.resolve(null);
  });

  it('the key cache caches a refusal for half a second', async () => {
    const { cache, queries, pass } = gatedCache();
    const asked = cache.identify(key);
    queries[0]?.resolve(null);
    assert.equal(await asked, null);
    pass(499);
    assert.equal(cache.identify(key), null);
    pass(1);
    assert.equal(cache.identify(key) instanceof Promise, true);
    queries[1]?.resolve(null);
  });

  it('the key cache does not retain the header of a refused key', async () => {
    const { cache, queries } = gatedCache();
    const bytes = await retainedHeapBytes(async () => {
      for (let index = 0; index < 1_000; index += 1) {
        const header = `Bearer ${' '.repeat(15_000)}stranger-${10_000_000 + index}`;
        const asked = cache.identify(header.slice(7).trim());
        queries.pop()?.resolve(null);
        assert.equal(await asked, null);
      }
    });
    assert.ok(bytes < 3_000_000, `${bytes} bytes are kept`);
    assert.equal(cache.identify('stranger-10000999'), null);
  });

  it('the key cache rejects a key from the moment it expires [D269]', async () => {
    const { cache, queries, pass } = gatedCache();
    const expiring = found && { ...found, key: { ...found.key, expiresAtMs: 1_000 } };
    const first = cache.identify(key);
    queries[0]?.resolve(expiring);
    assert.equal((await first)?.keyId, 'k');
    pass(999);
    assert.equal(cache.identify(key) instanceof Promise, false);
    pass(1);
    const after = cache.identify(key);
    assert.equal(queries.length, 2);
    queries[1]?.resolve(expiring);
    assert.equal(await after, null);
  });

  it('the key cache rejects unknown keys with 503 while the database is unavailable, and still accepts known keys', async () => {
    const { cache, queries } = gatedCache();
    const known = cache.identify(key);
    queries[0]?.resolve(found);
    await known;
    const asked = cache.identify(generateKey('staging'));
    queries[1]?.reject(new AppError('service_unavailable'));
    await assert.rejects(async () => asked, { code: 'service_unavailable' });
    assert.equal(cache.identify(key) instanceof Promise, false);
  });
});
