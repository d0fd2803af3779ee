import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { blockDomain, type GateClient, gateClient, type WireGate, type WireRule } from '../../test/gate-client.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';
import { eraserOf } from './decisions/subject-log.ts';
import { keptRevisions, rewriteRevisions } from './revisions-store.ts';

interface WireRevision {
  readonly revision: number;
  readonly changed_at: string;
  readonly changed_by: { kind: string; id: string; name: string | null } | null;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly default_action: string;
  readonly rules_count: number;
  readonly rules: readonly WireRule[];
}
interface Page {
  readonly data: readonly WireRevision[];
  readonly meta: { readonly next_cursor: string | null };
}

await describeEngines('the revisions of a gate', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  before(async () => {
    started = await startApp({}, { database: await fresh() });
    client = gateClient(started);
  });
  after(() => started.close());

  const listOf = async (gateId: string, query = ''): Promise<Page> =>
    (await client.call<Page>('GET', `/v1/gates/${gateId}/revisions${query}`)).json;
  const read = async (gateId: string, revision: number | string): Promise<WireRevision> => {
    const { status, json, text } = await client.call<{ data: WireRevision }>(
      'GET',
      `/v1/gates/${gateId}/revisions/${revision}`,
    );
    assert.equal(status, 200, text);
    return json.data;
  };
  const save = (gateId: string, body: object) => client.call('PUT', `/v1/gates/${gateId}/rules`, body);

  it('erasing a subject rewrites earlier revisions, and leaves the current one', async () => {
    const { id } = await client.createGate();
    const rule = await client.addRule(id, { name: 'Block erase.me@example.org' });
    await client.call('PATCH', `/v1/gates/${id}/rules/${rule.id}`, { name: 'Not erase.me@example.org' });
    await rewriteRevisions(started.db, started.first.id, eraserOf('email', 'erase.me@example.org'));
    const names = async (revision: number) => (await read(id, revision)).rules.map(({ name }) => name);
    assert.deepEqual([await names(2), await names(3)], [['Block [erased]'], ['Not erase.me@example.org']]);
  });

  describe('200', () => {
    it('every change makes one, and says what it changed and with which key', async () => {
      const { id } = await client.createGate();
      const first = await client.addRule(id, { name: 'one' });
      const second = await client.addRule(id, { name: 'two' });
      await client.call('PATCH', `/v1/gates/${id}/rules/${first.id}`, { action: 'challenge' });
      await client.call('PUT', `/v1/gates/${id}/rules/order`, { rule_ids: [second.id, first.id] });
      await client.call('PATCH', `/v1/gates/${id}`, { default_action: 'block' });
      await client.call('DELETE', `/v1/gates/${id}/rules/${second.id}`);
      const { data } = await listOf(id);
      assert.deepEqual(
        data.map(({ revision, changes }) => [revision, changes]),
        [
          [7, { rules_removed: [{ id: second.id, name: 'two' }] }],
          [6, { fields: ['default_action'] }],
          [5, { rules_ordered: [second.id, first.id] }],
          [4, { rules_changed: [{ id: first.id, name: 'one', fields: ['action'] }] }],
          [3, { rules_added: [{ id: second.id, name: 'two' }] }],
          [2, { rules_added: [{ id: first.id, name: 'one' }] }],
          [1, {}],
        ],
      );
      const actor = data[0]?.changed_by;
      assert.equal(actor?.kind, 'key');
      const keys = await started.operator.keys.list(started.first.id);
      const key = keys.find((one) => one.id === actor?.id);
      assert.equal(key?.environment, 'production');
      assert.equal(actor?.name, key?.name ?? `${key?.prefix}…${key?.last4}`);
    });

    it('revisions of a gate, 200: one has the whole gate as it was then, and `current` as it is', async () => {
      const { id } = await client.createGate();
      const rule = await client.addRule(id);
      await client.call('PATCH', `/v1/gates/${id}`, { name: 'Another', default_action: 'challenge' });
      const earlier = await read(id, 2);
      assert.deepEqual([earlier.name, earlier.default_action, earlier.rules], ['Signup', 'allow', [rule]]);
      const current = await read(id, 'current');
      assert.deepEqual([current.revision, current.name, current.rules], [3, 'Another', [rule]]);
    });

    it('what is sent as it was makes none', async () => {
      const gate = await client.createGate({ preset: 'signup' });
      await client.call('PATCH', `/v1/gates/${gate.id}`, gate);
      await client.call('PATCH', `/v1/gates/${gate.id}/rules/${gate.rules[0]?.id}`, { action: 'block' });
      await save(gate.id, { rules: gate.rules });
      assert.deepEqual(
        (await listOf(gate.id)).data.map(({ revision }) => revision),
        [1],
      );
    });

    it('revisions of a gate, 200: they come in pages, newest first', async () => {
      const { id } = await client.createGate();
      for (const name of ['b', 'c', 'd']) await client.call('PATCH', `/v1/gates/${id}`, { name });
      const first = await listOf(id, '?limit=3');
      const second = await listOf(id, `?limit=3&cursor=${first.meta.next_cursor}`);
      assert.deepEqual(
        [first, second].map(({ data }) => data.map(({ name }) => name)),
        [['d', 'c', 'b'], ['Signup']],
      );
      assert.equal(second.meta.next_cursor, null);
    });

    it('revisions of a gate, 200: restoring makes the gate what it was, as a new one; rules that are there keep their ids', async () => {
      const { id } = await client.createGate();
      const kept = await client.addRule(id, { name: 'kept' });
      const gone = await client.addRule(id, { name: 'gone' });
      await client.call('DELETE', `/v1/gates/${id}/rules/${gone.id}`);
      await client.call('PATCH', `/v1/gates/${id}`, { name: 'Another', default_action: 'block' });
      const { json } = await client.call<{ data: WireGate }>('POST', `/v1/gates/${id}/revisions/3/restore`, {});
      assert.deepEqual(
        [json.data.name, json.data.default_action, json.data.rules.map(({ name }) => name)],
        ['Signup', 'allow', ['kept', 'gone']],
      );
      assert.equal(json.data.rules[0]?.id, kept.id);
      assert.deepEqual(await client.readGate(id), json.data);
      assert.equal((await read(id, 'current')).revision, 6);
      const decided = await client.decide(id, { domain: 'example.com' });
      assert.equal(decided.decision.matched_rule?.name, 'gone');
    });

    it('a save that expects the revision it has read changes rules and default action atomically', async () => {
      const { id } = await client.createGate();
      const rule = await client.addRule(id);
      const rules = [{ ...rule, action: 'challenge' }, blockDomain('example.org')];
      const saved = await save(id, { rules, default_action: 'block', expected_revision: 2 });
      assert.equal(saved.status, 200, saved.text);
      const { revision, default_action, rules: after } = await read(id, 'current');
      assert.deepEqual([revision, default_action, after.length, after[0]?.id], [3, 'block', 2, rule.id]);
    });

    it('a gate of before revisions is at 0, and its state is kept when it is first changed', async () => {
      const gate = await client.createGate({ preset: 'signup' });
      await started.db.write.deleteFrom('gate_revisions').where('gate_id', '=', gate.id).execute();
      await started.db.write.updateTable('gates').set({ revision: 0 }).where('id', '=', gate.id).execute();
      const [only] = (await listOf(gate.id)).data;
      assert.deepEqual([only?.revision, only?.changed_by, only?.rules_count], [0, null, 8]);
      assert.deepEqual((await read(gate.id, 'current')).rules, gate.rules);
      assert.equal((await save(gate.id, { rules: [], expected_revision: 0 })).status, 200);
      assert.deepEqual((await read(gate.id, 0)).rules, gate.rules);
      assert.deepEqual(
        (await listOf(gate.id)).data.map(({ revision, rules_count }) => [revision, rules_count]),
        [
          [1, 0],
          [0, 8],
        ],
      );
    });

    it('revisions of a gate, 200: they go with their gate, and the oldest when there are too many', async () => {
      const { id } = await client.createGate();
      await started.db.write
        .updateTable('gates')
        .set({ revision: keptRevisions.perGate })
        .where('id', '=', id)
        .execute();
      const states = started.db.write.updateTable('gate_revisions').set({ revision: keptRevisions.perGate });
      await states.where('gate_id', '=', id).execute();
      const row = await started.db.read
        .selectFrom('gate_revisions')
        .selectAll()
        .where('gate_id', '=', id)
        .executeTakeFirstOrThrow();
      for (let revision = 1; revision < keptRevisions.perGate; revision += 1)
        await started.db.write
          .insertInto('gate_revisions')
          .values({ ...row, revision })
          .execute();
      await client.call('PATCH', `/v1/gates/${id}`, { name: 'Another' });
      const count = async () => {
        const query = started.db.read.selectFrom('gate_revisions').select('revision').where('gate_id', '=', id);
        return (await query.orderBy('revision').execute()).map(({ revision }) => revision);
      };
      const kept = await count();
      assert.deepEqual([kept.length, kept[0], kept.at(-1)], [keptRevisions.perGate, 2, keptRevisions.perGate + 1]);
      await client.call('DELETE', `/v1/gates/${id}`);
      assert.deepEqual(await count(), []);
    });

    it("revisions of a gate, 200: an account's oldest are removed when all of its gates' have too many bytes", async () => {
      const [older, newer] = [await client.createGate(), await client.createGate()];
      const { write } = started.db;
      for (const [{ id }, changed_at] of [
        [older, 1],
        [newer, 2],
      ] as const) {
        const size = keptRevisions.bytesPerAccount / 2;
        await write.updateTable('gate_revisions').set({ size, changed_at }).where('gate_id', '=', id).execute();
      }
      await client.call('PATCH', `/v1/gates/${newer.id}`, { name: 'Another' });
      assert.deepEqual((await listOf(older.id)).data, []);
      assert.deepEqual(
        (await listOf(newer.id)).data.map(({ revision }) => revision),
        [2, 1],
      );
      assert.equal((await read(older.id, 'current')).revision, 1);
      for (const { id } of [older, newer]) await client.call('DELETE', `/v1/gates/${id}`);
    });

    it('revisions of a gate, 200: they are stored compressed', async () => {
      const { id } = await client.createGate();
      const value = Array.from({ length: 1_000 }, (_, index) => `name-${index}.example.com`);
      const rules = [{ name: 'Many', action: 'block', conditions: [{ field: 'domain.name', operator: 'in', value }] }];
      await client.call('PATCH', `/v1/gates/${id}`, { rules });
      const query = started.db.read.selectFrom('gate_revisions').select('size').where('gate_id', '=', id);
      const { size } = await query.where('revision', '=', 2).executeTakeFirstOrThrow();
      assert.ok(size < JSON.stringify(value).length / 2, `${size} bytes`);
      assert.deepEqual((await read(id, 2)).rules.length, 1);
    });
  });

  describe('404', () => {
    it('a revision that never was, or is no number', async () => {
      const { id } = await client.createGate();
      for (const revision of ['2', '0', '-1', '01', 'latest', '1e0', '99999999999999999999']) {
        for (const [method, path] of [
          ['GET', ''],
          ['POST', '/restore'],
        ] as const) {
          const body = method === 'GET' ? undefined : {};
          const { status, json } = await client.call(method, `/v1/gates/${id}/revisions/${revision}${path}`, body);
          assert.deepEqual([status, json.error], [404, 'revision_not_found'], revision);
        }
      }
    });
  });

  describe('409', () => {
    it('revisions of a gate, 409: another writer has changed the gate: nothing changes, and the response has the current revision', async () => {
      const { id } = await client.createGate();
      await client.addRule(id);
      const before = await client.readGate(id);
      for (const [method, path, body] of [
        ['PUT', '/rules', { rules: [], default_action: 'block', expected_revision: 1 }],
        ['PATCH', '', { name: 'Another', expected_revision: 3 }],
        ['POST', '/revisions/1/restore', { expected_revision: 1 }],
      ] as const) {
        const { status, json } = await client.call(method, `/v1/gates/${id}${path}`, body);
        assert.deepEqual([status, json.error], [409, 'gate_changed']);
        assert.deepEqual(json.errors, { expected_revision: ['The gate is at revision 2.'] });
      }
      assert.deepEqual(await client.readGate(id), before);
    });

    it('revisions of a gate, 409: of many who save what they have read, one does', async () => {
      const { id } = await client.createGate();
      const names = Array.from({ length: 8 }, (_, index) => `writer ${index}`);
      const answers = await Promise.all(
        names.map((name) => save(id, { rules: [{ ...blockDomain('example.com'), name }], expected_revision: 1 })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
      const winner = names[answers.findIndex(({ status }) => status === 200)];
      const { revision, rules } = await read(id, 'current');
      assert.deepEqual([revision, rules.map(({ name }) => name)], [2, [winner]]);
    });
  });

  describe('422', () => {
    it('an expected revision that is no number, a cursor of another list', async () => {
      const { id } = await client.createGate();
      for (const expected_revision of ['1', -1, 1.5, null]) {
        const { status, json } = await save(id, { rules: [], expected_revision });
        assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, ['expected_revision']]);
      }
      const { status } = await client.call('GET', `/v1/gates/${id}/revisions?cursor=abc`);
      assert.equal(status, 422);
    });
  });

  it('revisions of a gate, an entry of the log keeps the revision that decided', async () => {
    const { id } = await client.createGate();
    await client.decide(id, { domain: 'example.com' });
    await client.addRule(id);
    await client.decide(id, { domain: 'example.com' });
    await client.call('GET', `/v1/gates/${id}/decisions`);
    const rows = await started.db.read.selectFrom('decisions').select(['entry']).where('gate_id', '=', id).execute();
    assert.deepEqual(rows.map(({ entry }) => JSON.parse(entry)[8]).sort(), [1, 2]);
  });
});
