import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { eventually } from '../../test/eventually.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';

async function* lines(text: string) {
  yield* text.split('\n');
}

await describeEngines('keys', (fresh) => {
  let started: StartedApp;
  before(async () => {
    started = await startApp({}, { database: await fresh() });
  });
  after(() => started.close());

  const statusWith = async (key: string) => (await started.request('GET', '/status', { key })).status;
  const create = (accountId = started.first.id) =>
    started.operator.keys.create({ accountId, environment: 'production', name: 'test' });

  describe('created while the service runs', () => {
    it('keys created while the service runs work immediately, even if they were refused before they existed [D31]', async () => {
      const imported = 'from-another-service-0001';
      assert.equal(await statusWith(imported), 401);
      const owner = { accountId: started.first.id, environment: 'staging', name: null } as const;
      await started.operator.keys.import(owner, lines(imported));
      await eventually(async () => assert.equal(await statusWith(imported), 200));
      const { key } = await create();
      assert.equal(await statusWith(key), 200);
    });

    it('keys created while the service runs stop working when they are revoked, and other keys continue to work [D32]', async () => {
      const [gone, stays] = [await create(), await create()];
      assert.deepEqual([await statusWith(gone.key), await statusWith(stays.key)], [200, 200]);
      await started.operator.keys.revoke(gone.record.id);
      await eventually(async () => assert.equal(await statusWith(gone.key), 401));
      assert.equal(await statusWith(stays.key), 200);
    });

    it('keys created while the service runs stop working when they expire, including cached keys [D269]', async () => {
      const expiresAtMs = started.clock.now() + 60_000;
      const owner = { accountId: started.first.id, environment: 'production', name: null } as const;
      const { key } = await started.operator.keys.create({ ...owner, expiresAtMs });
      assert.equal(await statusWith(key), 200);
      started.clock.advance(59_000);
      assert.equal(await statusWith(key), 200);
      started.clock.advance(1_000);
      assert.equal(await statusWith(key), 401);
      assert.equal(await statusWith(started.keys.production), 200);
    });

    it("keys created while the service runs follow a change of their account's plan without a restart [D33]", async () => {
      const { id, keys } = await started.createAccount({ plan: 'free' });
      const plan = async () => {
        started.clock.advance(1_000);
        const { json } = await started.request<{ account: { plan: { name: string } } }>('GET', '/status', {
          key: keys.production,
        });
        return json.account.plan.name;
      };
      assert.equal(await plan(), 'Free');
      await started.operator.accounts.setPlan(id, 'pro-500k');
      await eventually(async () => assert.equal(await plan(), 'Pro 500K'));
    });
  });

  describe('in the database', () => {
    it('keys are stored as hashes, never in plain text [Q10]', async () => {
      const { key } = await create();
      const rows = await started.db.read.selectFrom('keys').selectAll().execute();
      const stored = JSON.stringify(rows);
      for (const secret of [key, ...Object.values(started.keys)]) assert.ok(!stored.includes(secret.slice(7, -4)));
    });

    it('keys of an account on an unknown plan get 503, not 401, and the response does not contain the reason', async () => {
      const { id, keys } = await started.createAccount();
      await started.db.write.updateTable('accounts').set({ plan: 'gone' }).where('id', '=', id).execute();
      const { status, text } = await started.request('GET', '/status', { key: keys.production });
      assert.equal(status, 503);
      assert.ok(!text.includes('gone'));
    });
  });

  describe('invalid input', () => {
    it('invalid input for a key is rejected with an explanation', async () => {
      const { keys } = started.operator;
      const owner = { accountId: started.first.id, environment: 'production' } as const;
      await assert.rejects(() => create('nobody'), /there is no account "nobody"/);
      await assert.rejects(() => keys.revoke('nothing'), /there is no key "nothing" in use/);
      await assert.rejects(() => keys.create({ ...owner, name: ' ' }), /1 to 120 characters/);
      for (const name of ['a\u001b[2Jb', 'a\nb', 'a\u2028b', 'a\u202eb']) {
        await assert.rejects(() => keys.create({ ...owner, name }), /control characters/);
        await assert.rejects(
          () => keys.import({ ...owner, name }, lines('a-key-that-is-not-imported')),
          /control characters/,
        );
      }
      const named = { ...owner, name: null };
      for (const key of ['short', 'sp_prd_0123456789012345678901234567']) {
        await assert.rejects(() => keys.import(named, lines(key)), /line 1: .*16 to 128 printable ASCII/);
      }
      await assert.rejects(() => keys.import(named, lines('')), /no keys to import/);
      await assert.rejects(
        () => keys.import({ ...named, accountId: 'nobody' }, lines('twice-is-once-too-often')),
        /there is no account "nobody"/,
      );
    });

    it('a publishable key needs 1 to 20 origins: scheme, host and port, as browsers send them [D603]', async () => {
      const owner = { accountId: started.first.id, environment: 'production', name: null } as const;
      const create = (origins: readonly string[]) =>
        started.operator.keys.create({ ...owner, publishable: { origins, showsDisposable: true } });
      const { record, key } = await create([
        'https://App.Example.com:443',
        'http://localhost:3000/',
        'https://bücher.example',
      ]);
      assert.match(key, /^sp_pub_/);
      const origins = ['https://app.example.com', 'http://localhost:3000', 'https://xn--bcher-kva.example'];
      assert.deepEqual(record.publishable, { origins, showsDisposable: true });
      const [stored] = (await started.operator.keys.list(owner.accountId)).filter(({ id }) => id === record.id);
      assert.deepEqual(stored, record);
      const many = Array.from({ length: 21 }, (_, index) => `https://${index}.example.com`);
      for (const wrong of [[], many]) await assert.rejects(() => create(wrong), /1 to 20 origins/);
      const texts = [
        '*',
        'app.example.com',
        'https://*.example.com',
        'https://a.example/path',
        'https://a.example?x',
        'null',
      ];
      for (const text of [...texts, 'ftp://a.example', 'https://user@a.example', '']) {
        await assert.rejects(() => create([text]), /such as https:\/\/app\.example\.com/, text);
      }
    });

    it('invalid input for an account is rejected with an explanation', async () => {
      const { accounts } = started.operator;
      const good = { name: 'A', email: 'a@example.com', planId: 'free' };
      await assert.rejects(() => accounts.create({ ...good, planId: 'gold' }), /no plan "gold"; choose one of free, /);
      await assert.rejects(() => accounts.create({ ...good, name: ' ' }), /1 to 120 characters/);
      for (const name of ['a\u001b[2Jb', 'a\nb', 'a\u0000', 'a\u2028b', 'a\u009b1mb', 'a\u202eb', 'a\u2066b']) {
        await assert.rejects(() => accounts.create({ ...good, name }), /control characters/);
        await assert.rejects(() => accounts.update(started.first.id, { name }), /control characters/);
      }
      for (const email of ['a\u0007@example.com', 'a@ex\u001bample.com', 'a\u202eb@example.com'])
        await assert.rejects(
          () => accounts.create({ ...good, email }),
          /^Error: an account's email may not contain control/,
        );
      await assert.rejects(() => accounts.create({ ...good, email: 'nobody' }), /not an email address/);
      await assert.rejects(() => accounts.setPlan('nobody', 'free'), /there is no account "nobody"/);
      await assert.rejects(() => accounts.setOverage('nobody', true), /there is no account "nobody"/);
    });
  });

  it('keys of the first start are created once when several processes start at the same time', async () => {
    assert.equal(await started.app.createFirstAccount(), null);
    assert.equal(
      (await started.operator.keys.list(started.first.id)).filter(({ name }) => name === 'first start').length,
      3,
    );
  });
});
