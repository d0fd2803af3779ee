import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { reversedName } from '../address/reversed-name.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { createFirstSeen, historyIn } from './first-seen.ts';
import { createFirstSeenStore } from './first-seen-store.ts';
import { pruneSeen, removeSeenBy, sealDays } from './seen-retention.ts';
import { searchSeen } from './seen-search.ts';
import { createSeenStore, type SeenStore } from './seen-store.ts';

const never = new AbortController().signal;

await describeEngines('seen domains', (fresh) => {
  let db: Db;
  let store: SeenStore;
  before(async () => {
    db = await openDatabase(await fresh());
    store = createSeenStore(db);
  });
  after(() => db.close());

  const add = (day: number, domains: readonly string[], accountId = 'one', flagged = 0) =>
    store.add(
      domains.map((domain) => ({
        day,
        name: reversedName(domain),
        account_id: accountId,
        environment: 'production' as const,
        flagged,
      })),
    );
  /** `domain account flagged`, in order. */
  const found = async (domains: readonly string[] | null, sinceDay = 0): Promise<string[]> => {
    const wanted = domains && new Set(domains.map(reversedName));
    const lines: string[] = [];
    for await (const names of searchSeen(wanted, { store, sinceDay, yieldWhenDue: () => null })) {
      for (const { name, owner, flagged } of names) lines.push(`${reversedName(name)} ${owner.accountId} ${flagged}`);
    }
    return lines.sort();
  };

  it('seen domains are found by their name and by a name above, among rows and in blocks, and neighbours are not', async () => {
    const names = ['a.com', 'mail.a.com', 'x.mail.a.com', 'a-b.com', 'b.a-b.com', 'ab.com', 'com-a.net'];
    const wanted = ['a.com one 0', 'mail.a.com one 0', 'x.mail.a.com one 0'];
    await add(10, names);
    assert.deepEqual(await found(['a.com']), wanted);
    await sealDays(store, 11, never);
    assert.deepEqual(await store.openDays(), []);
    assert.deepEqual(await found(['a.com']), wanted);
    assert.deepEqual(await found(['mail.a.com', 'nowhere.org']), ['mail.a.com one 0', 'x.mail.a.com one 0']);
    assert.deepEqual(await found(['nowhere.org']), []);
    assert.equal((await found(null)).length, names.length);
    assert.deepEqual(await found(['a.com'], 11), []);
  });

  it('seen domains below a name are found in a block that begins after the name itself would stand', async () => {
    await add(15, ['a-b.net', 'x.a.net']);
    await sealDays(store, 16, never);
    assert.deepEqual(await found(['a.net']), ['x.a.net one 0']);
  });

  it('a damaged block of seen domains is skipped, and the others are found [D706]', async () => {
    await add(17, ['damaged.dev']);
    await sealDays(store, 18, never);
    const blocks = db.write.updateTable('seen_blocks').set({ body: Buffer.from('no block') });
    await blocks.where('day', '=', 17).execute();
    await add(18, ['damaged.dev'], 'two');
    await sealDays(store, 19, never);
    assert.deepEqual(await found(['damaged.dev']), ['damaged.dev two 0']);
    await removeSeenBy(store, 'two', 'damaged.dev');
    assert.deepEqual(await found(['damaged.dev']), []);
    assert.deepEqual(db.damagedBlocks.counts(), { seen_blocks: 1 });
  });

  it('the first sight of a day stays as it was, and each account has its own', async () => {
    await add(20, ['first.org'], 'one', 4);
    await add(20, ['first.org'], 'one', 0);
    await add(20, ['first.org'], 'two', 1);
    await sealDays(store, 21, never);
    // Written late, by another process.
    await add(20, ['first.org'], 'three', 2);
    await sealDays(store, 21, never);
    assert.deepEqual(await found(['first.org']), ['first.org one 4', 'first.org three 2', 'first.org two 1']);
  });

  it('seen domains of many blocks are all found, whether one is looked for or many are', async () => {
    const names = Array.from({ length: 4_500 }, (_, index) => `d${index}.many.net`);
    for (let start = 0; start < names.length; start += 500) await add(30, names.slice(start, start + 500));
    assert.equal((await found(['many.net'])).length, 4_500);
    assert.equal((await found(names)).length, 4_500);
    await sealDays(store, 31, never);
    assert.equal((await store.blocks(0, 1_000)).filter(({ day }) => day === 30).length, 5);
    assert.equal((await found(['many.net'])).length, 4_500);
    assert.equal((await found(names)).length, 4_500);
    assert.deepEqual(await found(['d4321.many.net']), ['d4321.many.net one 0']);
  });

  it('two processes that seal the same day keep every name once', async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `d${index}.race.net`);
    for (let start = 0; start < names.length; start += 500) await add(40, names.slice(start, start + 500));
    await Promise.all([sealDays(store, 41, never), sealDays(store, 41, never)]);
    assert.deepEqual(await found(['race.net']), names.map((name) => `${name} one 0`).sort());
  });

  it('an account that is removed leaves nothing, neither in rows nor in blocks, and the others keep theirs', async () => {
    await add(50, ['kept.org', 'shared.org'], 'stays');
    await add(50, ['gone.org', 'shared.org'], 'goes');
    await sealDays(store, 51, never);
    await add(51, ['gone-too.org'], 'goes');
    await removeSeenBy(store, 'goes');
    const left = (await found(null)).filter((line) => /stays|goes/.test(line));
    assert.deepEqual(left, ['kept.org stays 0', 'shared.org stays 0']);
  });

  it('days before the first that is kept are removed, and the oldest beyond so many names', async () => {
    await add(60, ['old.org']);
    await sealDays(store, 61, never);
    await add(61, ['late.org']);
    for (const day of [70, 71, 72]) {
      await add(day, [`d${day}.org`, `e${day}.org`]);
      await sealDays(store, day + 1, never);
    }
    await pruneSeen(store, 62, never);
    assert.deepEqual(await found(['old.org', 'late.org']), []);
    await pruneSeen(store, 62, never, 5);
    assert.deepEqual(
      (await store.sealedDays()).map(({ day, entries }) => [day, entries]),
      [
        [72, 2],
        [71, 2],
      ],
    );
  });

  it('the first day of a domain is known within the retention, up to 30 days ago [D409]', async () => {
    const firstSeen = createFirstSeenStore(db);
    const owner = { accountId: 'one', environment: 'production' } as const;
    const registrable = 'kept.example';
    const seenOn = (day: number) => firstSeen.add([{ owner, registrable, day }]);
    const since = async (today: number, retentionDays = 30) =>
      historyIn(await firstSeen.load(owner, registrable), today, retentionDays).sinceDays;
    assert.equal(await since(100), 0);
    await seenOn(100);
    await seenOn(100);
    await seenOn(112);
    assert.deepEqual([await since(112), await since(130), await since(131)], [12, 30, 19]);
    await seenOn(131);
    assert.deepEqual([await since(131), await since(131, 90), await since(191, 90)], [19, 30, 30]);
    await seenOn(111);
    assert.equal(await since(141), 30);
    await seenOn(200);
    assert.deepEqual([await since(200), await since(200, 90)], [0, 30]);
    await firstSeen.remove('one', registrable, 0);
    assert.equal(await since(200, 90), 0);
    assert.equal(createFirstSeen(firstSeen, 0).historyOf(owner, registrable, 0), null);
  });

  it('days of domains are removed when the last of them is too old, however many keys lie before and between them', async () => {
    const firstSeen = createFirstSeenStore(db);
    const owner = { accountId: 'pruned', environment: 'production' } as const;
    const names = Array.from({ length: 2_500 }, (_, index) => `d${index}.com`);
    const dayOf = (index: number): number => (index % 2 === 0 ? 99 : 100);
    await firstSeen.add(names.map((registrable, index) => ({ owner, registrable, day: dayOf(index) })));
    await firstSeen.removeBefore(100, never);
    const days = await Promise.all(names.map((name) => firstSeen.load(owner, name)));
    assert.deepEqual(
      days.map((day) => day?.last_day ?? null),
      names.map((_, index) => (dayOf(index) < 100 ? null : 100)),
    );
  });
});
