import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { tester } from '../../test/tester.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { ulid } from '../ulid.ts';
import { createFirstGates } from './first-gates.ts';
import type { Gate } from './gate.ts';
import { createRule } from './gate-edits.ts';
import { allGates } from './gates.ts';
import { createGatesStore, type GatesStore } from './gates-store.ts';
import { presetRules } from './preset.ts';

const nowMs = Date.UTC(2026, 10, 15);
const owner = { accountId: 'account', environment: 'production', by: tester } as const;

const emptyGate: Omit<Gate, 'id'> = {
  name: 'empty',
  description: null,
  defaultAction: 'allow',
  wait: [],
  rules: [],
  revision: 1,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
};

await describeEngines('the store of gates', (fresh) => {
  let db: Db;
  let store: GatesStore;
  before(async () => {
    db = await openDatabase(await fresh());
    store = createGatesStore(db);
    await insertAccount(owner.accountId);
  });
  after(() => db.close());

  const insertAccount = async (id: string): Promise<void> => {
    const account = { id, name: 'x', email: 'x@y.zz', plan: 'self-hosted', overage: 0, created_at: 0 };
    await db.write.insertInto('accounts').values(account).execute();
  };
  const insert = async (): Promise<Gate> => {
    const rules = presetRules('signup').map((draft) => ({ ...createRule(draft, nowMs), name: 'version 0' }));
    const texts = {
      name: 'version 0',
      description: null,
      defaultAction: 'allow',
      wait: ['domain_age_in_days'],
    } as const;
    const gate: Gate = {
      ...texts,
      id: ulid(nowMs).toLowerCase(),
      rules,
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    assert.ok(await store.insert(owner, gate, 100));
    return gate;
  };

  it('a gate comes back as it was kept', async () => {
    const gate = await insert();
    assert.deepEqual(await store.find(owner, gate.id), gate);
  });

  it('the gate of the first start does not count for the limit, and is a gate like others otherwise', async () => {
    const author = { ...owner, accountId: 'first' } as const;
    await insertAccount(author.accountId);
    const [first] = await createFirstGates(store, author.accountId, nowMs);
    assert.equal((await store.find(author, first?.id ?? ''))?.name, 'Sign-up');
    const gate = (): Gate => ({ ...emptyGate, id: ulid(nowMs).toLowerCase() });
    assert.equal(await store.counted(author), 0);
    assert.deepEqual(
      [
        await store.insert(author, gate(), 2),
        await store.insert(author, gate(), 2),
        await store.insert(author, gate(), 2),
      ],
      [true, true, false],
    );
    assert.equal((await store.list(author, allGates, null)).length, 3);
    assert.ok(await store.remove(author, first?.id ?? '', nowMs));
    assert.equal(await store.insert(author, gate(), 2), false);
  });

  it('a gate read while it is edited is of one version, never a mixture', async () => {
    const { id } = await insert();
    const editing = (async () => {
      for (let version = 1; version <= 60; version += 1) {
        const change = (gate: Gate): Gate => ({
          ...gate,
          name: `version ${version}`,
          rules: gate.rules.map((rule) => ({ ...rule, name: `version ${version}` })).reverse(),
        });
        await store.edit(owner, id, { change }, nowMs);
      }
    })();
    const seen = new Set<string>();
    let done = false;
    editing.finally(() => {
      done = true;
    });
    while (!done) {
      const gate = await store.find(owner, id);
      assert.equal(gate?.rules.length, presetRules('signup').length);
      assert.deepEqual(new Set(gate.rules.map(({ name }) => name)), new Set([gate.name]));
      seen.add(gate.name);
    }
    await editing;
    assert.ok(seen.size > 1);
  });

  it('edits of one gate come one after the other and none is lost', async () => {
    const { id } = await insert();
    const change = (gate: Gate): Gate => ({ ...gate, name: `version ${Number(gate.name.slice(8)) + 1}` });
    await Promise.all(Array.from({ length: 20 }, () => store.edit(owner, id, { change }, nowMs)));
    assert.equal((await store.find(owner, id))?.name, 'version 20');
  });

  it('an edit that throws leaves nothing behind', async () => {
    const gate = await insert();
    const change = () => {
      throw new Error('refused');
    };
    await assert.rejects(store.edit(owner, gate.id, { change }, nowMs), /refused/);
    assert.deepEqual(await store.find(owner, gate.id), gate);
  });

  it('another owner neither finds, edits nor removes a gate', async () => {
    const gate = await insert();
    for (const other of [
      { accountId: 'other', environment: 'production', by: tester },
      { accountId: 'account', environment: 'staging', by: tester },
    ] as const) {
      assert.equal(await store.find(other, gate.id), null);
      assert.equal(await store.edit(other, gate.id, { change: () => assert.fail('was handed over') }, nowMs), null);
      assert.equal(await store.remove(other, gate.id, nowMs), false);
      assert.deepEqual(await store.list(other, 100, null), []);
    }
    assert.deepEqual(await store.find(owner, gate.id), gate);
  });
});
