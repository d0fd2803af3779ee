import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import { createCreditLeaseStore, creditHoldersTopic, creditsWantedTopic } from './credit-lease-store.ts';

await describeEngines('credit leases', (fresh) => {
  let db: Db;
  before(async () => {
    db = await openDatabase(await fresh());
  });
  after(() => db.close());

  let names = 0;
  const nextName = (kind: string) => {
    names += 1;
    return `${kind}-${names}`;
  };
  const startStore = (now = Date.now) => createCreditLeaseStore(db, nextName('process'), now);
  const requestOf = (accountId: string, needed: number, limit = 100, granted = 0) => ({
    spending: { accountId, startMs: 0, endMs: 1, limit, spent: 0, granted, written: 0 },
    limit,
    needed,
  });
  const revisionOf = async (topic: string, scope: string) => {
    const query = db.read
      .selectFrom('changes')
      .select('revision')
      .where('topic', '=', topic)
      .where('scope', '=', scope);
    return (await query.executeTakeFirst())?.revision ?? 0;
  };

  it('an acquisition asks other processes to release credits when only they hold enough, with the account id as scope', async () => {
    const [idle, busy] = [startStore(), startStore()];
    const [short, plentiful] = [nextName('account'), nextName('account')];
    await idle.acquire([requestOf(short, 90)]);
    const leases = await busy.acquire([requestOf(short, 20), requestOf(plentiful, 20)]);
    assert.deepEqual(
      leases.map(({ more, heldByOthers }) => [more > 0, heldByOthers]),
      [
        [false, 90],
        [true, 0],
      ],
    );
    assert.equal(await revisionOf(creditsWantedTopic, short), 1);
    assert.equal(await revisionOf(creditsWantedTopic, plentiful), 0);
  });

  it('an acquisition does not ask other processes to release credits when none holds any', async () => {
    const account = nextName('account');
    await startStore().acquire([requestOf(account, 101)]);
    assert.equal(await revisionOf(creditsWantedTopic, account), 0);
  });

  it('the first lease of a process announces it to the others, and later ones do not', async () => {
    const store = startStore();
    const before = await revisionOf(creditHoldersTopic, '');
    await store.acquire([requestOf(nextName('account'), 1)]);
    assert.equal(await revisionOf(creditHoldersTopic, ''), before + 1);
    await store.acquire([requestOf(nextName('account'), 1)]);
    await store.heartbeat();
    assert.equal(await revisionOf(creditHoldersTopic, ''), before + 1);
  });

  it('an acquisition repeats the heartbeat once the last one is 20 seconds old', async () => {
    let nowMs = Date.now();
    const name = nextName('process');
    const store = createCreditLeaseStore(db, name, () => nowMs);
    const account = nextName('account');
    const isSeen = async () =>
      (await db.read.selectFrom('instances').select('seen_at').where('id', '=', name).executeTakeFirst())?.seen_at !==
      1;
    await store.acquire([requestOf(account, 1)]);
    await db.write.updateTable('instances').set({ seen_at: 1 }).where('id', '=', name).execute();
    nowMs += 19_000;
    await store.acquire([requestOf(account, 1)]);
    assert.equal(await isSeen(), false);
    nowMs += 2_000;
    await store.acquire([requestOf(account, 1)]);
    assert.equal(await isSeen(), true);
  });

  it('another process can acquire the released credits of a dead process immediately', async () => {
    const [deadName, account] = [nextName('process'), nextName('account')];
    await createCreditLeaseStore(db, deadName, Date.now).acquire([requestOf(account, 100)]);
    const living = startStore();
    assert.equal((await living.acquire([requestOf(account, 1)]))[0]?.more, 0);
    await living.releaseLeasesOf(deadName);
    assert.equal((await living.acquire([requestOf(account, 100)]))[0]?.more, 100);
  });
});
