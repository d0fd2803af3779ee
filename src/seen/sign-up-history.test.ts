import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { parseIp } from '../address/ip.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { createHasBadOutcome } from './bad-outcomes.ts';
import { createBadOutcomesStore } from './bad-outcomes-store.ts';
import { createFirstSeen } from './first-seen.ts';
import { createFirstSeenStore } from './first-seen-store.ts';
import { createSignUpBuffer } from './seen-recorder.ts';
import { createSightings, dayMs } from './sightings.ts';
import { createSignUpHistory } from './sign-up-history.ts';

const today = 1_000;
const networks = ['198.51.100', '203.0.113', '192.0.2', '198.18.7', '198.19.1', '100.64.3'];
const gateColumns = { name: 'Gate', default_action: 'allow', wait: '[]', rule_ids: '', created_at: 0, updated_at: 0 };
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
    const history = createSignUpHistory(
      sightings,
      createFirstSeen(store, 30),
      createHasBadOutcome(createBadOutcomesStore(db)),
    );
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

  it('are not usual while one of them is reported bad, in the environment that reported it [D424]', async () => {
    const signUps = [...everyNetwork(7), [3, null], [1, from(0)]] as const;
    const report = (accountId: string, outcome: string, decisionId: string) =>
      db.transaction(async (trx) => {
        const account = { id: accountId, name: accountId, email: '', plan: 'free', overage: 0, created_at: 0 };
        await trx
          .insertInto('accounts')
          .values(account)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const gate = { id: `gate ${decisionId}`, account_id: accountId, environment: 'production', ...gateColumns };
        await trx.insertInto('gates').values(gate).execute();
        const row = { gate_id: gate.id, decision_id: decisionId, outcome, domain: 'reported.example' };
        await trx
          .insertInto('decision_outcomes')
          .values({ ...row, reason: null, action: 'allow', rule_ids: '' })
          .execute();
      });
    await report('another', 'bad', '1');
    await report('one', 'good', '2');
    assert.equal(await isUsual('reported.example', signUps), true);
    await report('one', 'bad', '3');
    assert.equal(await isUsual('reported.example', signUps), false);
    await db.write.deleteFrom('decision_outcomes').where('decision_id', '=', '3').execute();
    assert.equal(await isUsual('reported.example', signUps), true);
  });

  it('are erased with their domain', async () => {
    const usual = [...everyNetwork(7), [3, null], [1, from(0)]] as const;
    assert.equal(await isUsual('erased.example', usual), true);
    await createFirstSeenStore(db).remove('one', 'erased.example', 0);
    assert.equal(await isUsual('erased.example', []), false);
  });
});
