import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { describeEngines } from '../../test/engines.ts';
import { tester } from '../../test/tester.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { createSecretBox } from '../db/secret-box.ts';
import type { Author } from '../http/endpoint.ts';
import { createBlocklistStore } from './blocklist-store.ts';
import { createMembershipStore } from './membership-store.ts';

const hourMs = 3_600_000;
/** More entries than any list in these tests. */
const many = 1_000_000;

await describeEngines('the blocklist store', (fresh) => {
  let db: Db;
  let accounts = 0;
  before(async () => {
    db = await openDatabase(await fresh());
  });
  after(() => db.close());

  const newOwner = async (): Promise<Author> => {
    accounts += 1;
    const id = `account-${accounts}`;
    const account = { id, name: 'n', email: 'e@example.com', plan: 'free', overage: 0, created_at: 0 };
    await db.write.insertInto('accounts').values(account).execute();
    return { accountId: id, environment: 'production', by: tester };
  };

  test('the blocklist store returns the right page at every offset of a list with removed entries', async () => {
    const store = createBlocklistStore(db);
    const owner = await newOwner();
    const name = (index: number): string => `d${index}.example`;
    for (let from = 0; from < 5_000; from += 1_000) {
      const batch = Array.from({ length: 1_000 }, (_, index) => name(from + index));
      await store.add(owner, { domains: batch, maxEntries: many }, from);
    }
    // Empties whole blocks of 256 and thins out others; entries that are added again become the newest.
    const gone = (index: number): boolean => (index >= 500 && index < 1_100) || (index > 2_000 && index % 101 === 0);
    const model = Array.from({ length: 5_000 }, (_, index) => index).filter((index) => !gone(index));
    for (let index = 0; index < 5_000; index += 1) if (gone(index)) await store.remove(owner, [name(index)], 1);
    await store.add(owner, { domains: [name(777)], maxEntries: many }, 2);
    const newestFirst = [...model, 777].reverse().map(name);

    for (const skip of [0, 1, 255, 256, 257, 1_023, 2_500, 3_800, 3_999, newestFirst.length - 1]) {
      for (const limit of [1, 25, 100]) {
        const { total, entries } = await store.page(owner, skip, limit);
        assert.equal(total, newestFirst.length);
        const domains = entries.map((entry) => entry.domain);
        assert.deepEqual(domains, newestFirst.slice(skip, skip + limit), `${limit} after ${skip}`);
      }
    }
    assert.deepEqual(await store.page(owner, newestFirst.length, 25), { total: newestFirst.length, entries: [] });
  });

  test('the blocklist store reports the changes that lead from any earlier state to the present one', async () => {
    const names = ['a.example', 'b.example', 'c.example', 'd.example'];
    const step = fc.record({ add: fc.boolean(), domain: fc.constantFrom(...names) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const store = createBlocklistStore(db);
        const changes = createMembershipStore(db);
        const owner = await newOwner();
        const states: { seq: number; listed: Set<string> }[] = [{ seq: 0, listed: new Set() }];
        for (const { add, domain } of steps) {
          if (add) await store.add(owner, { domains: [domain], maxEntries: many }, 0);
          else await store.remove(owner, [domain], 0);
          const present = await store.page(owner, 0, 100);
          const seq = (await changes.head(owner))?.seq ?? 0;
          states.push({ seq, listed: new Set(present.entries.map((entry) => entry.domain)) });
        }
        const present = states.at(-1)?.listed;
        for (const { seq, listed } of states) {
          const followed = new Set(listed);
          let reached = seq;
          // Two at a time, because a long list of changes is read in batches.
          for (;;) {
            const told = (await changes.changesAfter(owner, reached, 2)) ?? [];
            for (const change of told) {
              assert.ok(change.seq > reached);
              reached = change.seq;
              if (change.untilMs > 0) followed.add(change.key);
              else followed.delete(change.key);
            }
            if (told.length < 2) break;
          }
          assert.deepEqual(followed, present);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('the blocklist store prunes removals after an hour and makes readers that missed them reload the list', async () => {
    const store = createBlocklistStore(db);
    const changes = createMembershipStore(db);
    const owner = await newOwner();
    await store.add(owner, { domains: ['a.example', 'b.example', 'c.example'], maxEntries: many }, 0);
    const first = await store.remove(owner, ['a.example'], 0);
    assert.deepEqual(first, { seq: 4, removed: ['a.example'] });
    await store.remove(owner, ['b.example'], hourMs);
    assert.deepEqual(await changes.changesAfter(owner, 3, 10), [
      { seq: 4, key: 'a.example', untilMs: 0 },
      { seq: 5, key: 'b.example', untilMs: 0 },
    ]);
    await store.remove(owner, ['c.example'], hourMs + 1);
    assert.equal(await changes.changesAfter(owner, 3, 10), null);
    assert.deepEqual(
      (await changes.changesAfter(owner, 4, 10))?.map((change) => change.key),
      ['b.example', 'c.example'],
    );
  });

  test('the blocklist store keeps removed domains encrypted, and readers with another key reload the list', async () => {
    const store = createBlocklistStore(db);
    const owner = await newOwner();
    await store.add(owner, { domains: ['gone.example'], maxEntries: many }, 0);
    await store.remove(owner, ['gone.example'], 0);
    const rows = await db.read.selectFrom('blocklist_removals').selectAll().execute();
    assert.ok(rows.length > 0);
    assert.doesNotMatch(JSON.stringify(rows), /example/);
    const otherKey = { ...db, secrets: createSecretBox('the key of another instance', '') };
    assert.equal(await createMembershipStore(otherKey).changesAfter(owner, 1, 10), null);
    assert.deepEqual(await createMembershipStore(db).changesAfter(owner, 1, 10), [
      { seq: 2, key: 'gone.example', untilMs: 0 },
    ]);
  });

  test('the blocklist store keeps numbers, domains and counts consistent when many writers change one list concurrently', async () => {
    const owner = await newOwner();
    const stores = Array.from({ length: 8 }, () => createBlocklistStore(db));
    const additions = await Promise.all(
      stores.map((store, writer) =>
        store.add(owner, { domains: ['same.example', `own-${writer}.example`], maxEntries: many }, writer),
      ),
    );
    assert.equal(additions.filter(({ added }) => added.includes('same.example')).length, 1);
    const { total, entries } = await createBlocklistStore(db).page(owner, 0, 100);
    assert.equal(total, 9);
    assert.equal(new Set(entries.map((entry) => entry.domain)).size, 9);
    assert.equal((await createMembershipStore(db).head(owner))?.seq, 9);
  });

  test('the blocklist store keeps its limit when many writers change one list concurrently', async () => {
    const owner = await newOwner();
    const stores = Array.from({ length: 8 }, () => createBlocklistStore(db));
    const additions = await Promise.all(
      stores.map((store, writer) =>
        store.add(owner, { domains: [`a-${writer}.example`, `b-${writer}.example`], maxEntries: 11 }, 0),
      ),
    );
    assert.equal(additions.flatMap(({ added }) => added).length, 11);
    assert.equal(additions.flatMap(({ withoutRoom }) => withoutRoom).length, 5);
    assert.equal((await createBlocklistStore(db).page(owner, 0, 100)).total, 11);
  });

  test('the blocklist store adds nothing when part of the transaction fails', async () => {
    const owner = { accountId: 'nobody', environment: 'production', by: tester } as const;
    await assert.rejects(createBlocklistStore(db).add(owner, { domains: ['a.example'], maxEntries: many }, 0));
    assert.equal(await createBlocklistStore(db).find(owner, 'a.example'), null);
    assert.equal(await createMembershipStore(db).head(owner), null);
  });
});
