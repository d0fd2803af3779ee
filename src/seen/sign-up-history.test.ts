import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { parseIp } from '../address/ip.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { createFirstSeen } from './first-seen.ts';
import { createFirstSeenStore } from './first-seen-store.ts';
import { createSignUpBuffer } from './seen-recorder.ts';
import { createSightings, dayMs } from './sightings.ts';
import { createSignUpHistory } from './sign-up-history.ts';

const today = 1_000;
const networks = ['198.51.100', '203.0.113', '192.0.2', '198.18.7', '198.19.1', '100.64.3'];
const from = (index: number): string => `${networks[index % networks.length]}.${index + 1}`;

await describeEngines('sign-ups at a domain', (fresh) => {
  let db: Db;
  before(async () => {
    db = await openDatabase(await fresh());
  });
  after(() => db.close());

  /** Whether sign-ups so many days ago from these addresses are usual today. */
  const isUsual = async (name: string, signUps: readonly (readonly [daysAgo: number, ip: string | null])[]) => {
    const store = createFirstSeenStore(db);
    const sightings = createSightings();
    const history = createSignUpHistory(sightings, createFirstSeen(store, 30));
    const owner = { accountId: 'one', environment: 'production' } as const;
    const inOrder = signUps.toSorted(([one], [other]) => other - one);
    for (const [daysAgo, ip] of inOrder)
      history.note(owner, name, ip === null ? null : parseIp(ip), (today - daysAgo) * dayMs);
    await createSignUpBuffer(sightings, store, (_, error) => assert.fail(String(error))).flush();
    return history.isUsual(owner, name, today * dayMs);
  };
  const everyNetwork = (daysAgo: number) => networks.map((_, index) => [daysAgo, from(index)] as const);

  it('are usual from three networks on three earlier days, the first a week ago [D424]', async () => {
    assert.equal(await isUsual('usual.example', [...everyNetwork(7), [3, null], [1, from(0)]]), true);
  });

  it('are not usual from fewer networks, on fewer days, for less than a week, or today alone [D424]', async () => {
    const office = [9, 8, 7, 3, 2, 1].map((daysAgo) => [daysAgo, from(daysAgo % 2)] as const);
    assert.equal(await isUsual('office.example', office), false);
    assert.equal(await isUsual('two-days.example', [...everyNetwork(9), [2, from(0)], [0, from(1)]]), false);
    assert.equal(await isUsual('young.example', [...everyNetwork(6), [3, from(0)], [1, from(1)]]), false);
    assert.equal(await isUsual('today.example', everyNetwork(0)), false);
    assert.equal(
      await isUsual(
        'no-ip.example',
        [9, 8, 7, 3].map((daysAgo) => [daysAgo, null] as const),
      ),
      false,
    );
  });

  it('are erased with their domain', async () => {
    const usual = [...everyNetwork(7), [3, null], [1, from(0)]] as const;
    assert.equal(await isUsual('erased.example', usual), true);
    await createFirstSeenStore(db).remove('one', 'erased.example', 0);
    assert.equal(await isUsual('erased.example', []), false);
  });
});
