import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { until } from '../../test/eventually.ts';
import { tester } from '../../test/tester.ts';
import { type Db, openDatabase } from '../db/db.ts';
import type { Author } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
import { ulid } from '../ulid.ts';
import { listLimits } from './custom-list.ts';
import { createCustomListsStore } from './custom-lists-store.ts';
import { createListEntriesStore } from './list-entries-store.ts';
import { createListMembership, type ListHandle, type ListMembershipOptions } from './list-membership.ts';
import { createListMembershipStore } from './list-membership-store.ts';
import { expiredShownMs, purgeEntries } from './purge-store.ts';

await describeEngines('custom lists in memory', (fresh) => {
  let db: Db;
  let author: Author;
  let listId: string;
  const nowMs = Date.UTC(2026, 10, 15);
  const errors: unknown[] = [];
  before(async () => {
    db = await openDatabase(await fresh());
  });
  after(() => db.close());

  const createList = async (): Promise<string> => {
    const id = ulid(nowMs).toLowerCase();
    const list = { id, name: id, kind: 'email', description: null } as const;
    assert.equal(await createCustomListsStore(db).create(author, [list], 50, nowMs), 'created');
    return id;
  };
  const put = async (keys: readonly string[], id = listId, expiresAtMs: number | null = null) => {
    const entries = keys.map((key) => ({ key, value: key, note: null, expiresAtMs }));
    const written = await createListEntriesStore(db).put(author, id, { entries, limits: listLimits }, nowMs);
    assert.ok(written !== null && typeof written !== 'string');
    return written.changes;
  };
  const remove = async (keys: readonly string[], atMs = nowMs) => {
    const changes = await createListEntriesStore(db).remove(author, listId, keys, atMs);
    assert.ok(changes !== null);
    return changes;
  };
  /** A process with its own memory. */
  const start = (options: Partial<ListMembershipOptions> = {}) => {
    const store = createListMembershipStore(db);
    const reads = { entries: 0, changes: 0 };
    const counted = {
      ...store,
      entriesAfter(...args: Parameters<typeof store.entriesAfter>) {
        reads.entries += 1;
        return store.entriesAfter(...args);
      },
      changesAfter(...args: Parameters<typeof store.changesAfter>) {
        reads.changes += 1;
        return store.changesAfter(...args);
      },
    };
    const onError = (error: unknown) => errors.push(error);
    return { reads, membership: createListMembership({ store: counted, now: () => nowMs, onError, ...options }) };
  };
  const loaded = async ({ membership }: ReturnType<typeof start>, id = listId): Promise<ListHandle> => {
    const [handle] = membership.handles(author, [id]);
    assert.ok(handle);
    await membership.load([handle]);
    assert.equal(membership.load([handle]), null);
    return handle;
  };
  beforeEach(async () => {
    const id = ulid(nowMs);
    const account = { id, name: 'n', email: 'e@example.com', plan: 'free', overage: 0, created_at: 0 };
    await db.write.insertInto('accounts').values(account).execute();
    author = { accountId: id, environment: 'production', by: tester };
    listId = await createList();
    errors.length = 0;
  });

  it('another process reads only the changes to a list that it has loaded', async () => {
    await put(Array.from({ length: 2_500 }, (_, index) => `user${index}@example.com`));
    const process = start();
    const { members } = await loaded(process);
    const { entries } = process.reads;
    assert.deepEqual([members?.has('user2499@example.com'), members?.has('new@example.com')], [true, false]);
    await put(['new@example.com']);
    await remove(['user0@example.com']);
    process.membership.changed(scopeOf(author));
    await until(() => members?.has('new@example.com') === true);
    assert.equal(members?.has('user0@example.com'), false);
    assert.equal(process.reads.entries, entries);
  });

  it('a change of this process is in memory without a read', async () => {
    const process = start();
    const { members } = await loaded(process);
    const { changes } = process.reads;
    process.membership.changedHere(author, listId, await put(['a@example.com', 'b@example.com']));
    assert.equal(members?.has('b@example.com'), true);
    process.membership.changedHere(author, listId, await remove(['b@example.com']));
    assert.equal(members?.has('b@example.com'), false);
    assert.equal(process.reads.changes, changes);
  });

  it('loads the list again when removals that it has not read were pruned', async () => {
    await put(['a@example.com', 'b@example.com', 'c@example.com']);
    const process = start();
    const handle = await loaded(process);
    await remove(['a@example.com']);
    await remove(['b@example.com'], nowMs + 2 * 3_600_000);
    process.membership.changed(scopeOf(author));
    await until(() => handle.members?.has('b@example.com') === false);
    assert.deepEqual(
      ['a@example.com', 'c@example.com'].map((key) => handle.members?.has(key)),
      [false, true],
    );
  });

  it('a removed list has no members, and a list that is created with its id has', async () => {
    const process = start();
    const handle = await loaded(process);
    await createCustomListsStore(db).remove(author, listId, nowMs);
    process.membership.changed(scopeOf(author));
    await until(() => handle.members === null);
    const list = { id: listId, name: 'Again', kind: 'email', description: null } as const;
    await createCustomListsStore(db).create(author, [list], 50, nowMs);
    await put(['a@example.com']);
    process.membership.changed(scopeOf(author));
    await until(() => handle.members?.has('a@example.com') === true);
  });

  it('evicts the least recently used list above the limit, and loads it again when it is needed', async () => {
    const [one, two] = [listId, await createList()];
    for (const id of [one, two]) await put(['a@example.com', 'b@example.com'], id);
    const process = start({ maxEntries: 100 });
    const first = await loaded(process, one);
    const second = await loaded(process, two);
    const isListed = (handle: ListHandle) => handle.members?.has('a@example.com') ?? null;
    assert.deepEqual([isListed(first), isListed(second)], [null, true]);
    assert.ok(process.membership.size() <= 100);
    await process.membership.load([first]);
    assert.deepEqual([isListed(first), isListed(second)], [true, null]);
  });

  it('retries changes that it could not read, at the next use', async () => {
    const store = createListMembershipStore(db);
    let isAvailable = true;
    const head: typeof store.head = async (ref) => {
      if (!isAvailable) throw new Error('unavailable');
      return store.head(ref);
    };
    const process = start({ store: { ...store, head } });
    const handle = await loaded(process);
    isAvailable = false;
    await put(['a@example.com']);
    process.membership.changed(scopeOf(author));
    await until(() => errors.length > 0);
    const [other] = process.membership.handles(author, ['01k00000000000000000000000']);
    await assert.rejects(async () => process.membership.load(other === undefined ? [] : [other]), /unavailable/);
    isAvailable = true;
    assert.equal(process.membership.load([handle]), null);
    await until(() => handle.members?.has('a@example.com') === true);
  });

  it('purges entries 30 days after they expired, and entries of lists that are gone', async () => {
    await put(['stays@example.com']);
    await put(['gone@example.com'], listId, nowMs + 1);
    await db.write
      .insertInto('custom_list_entries')
      .values({
        list_id: 'orphan',
        key: 'a',
        value: null,
        note: null,
        expires_at: null,
        created_at: nowMs,
        actor_kind: 'key',
        actor_id: 'k',
        no: 1,
        seq: 1,
      })
      .execute();
    const keys = async () =>
      (
        await db.read
          .selectFrom('custom_list_entries')
          .select('key')
          .where('list_id', 'in', [listId, 'orphan'])
          .orderBy('key')
          .execute()
      ).map(({ key }) => key);
    await purgeEntries(db, nowMs + expiredShownMs);
    assert.deepEqual(await keys(), ['gone@example.com', 'stays@example.com']);
    await purgeEntries(db, nowMs + 1 + expiredShownMs);
    assert.deepEqual(await keys(), ['stays@example.com']);
    const list = await createCustomListsStore(db).find(author, listId, nowMs);
    assert.equal(list?.entriesCount, 1);
  });
});
