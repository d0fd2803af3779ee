import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { tester } from '../../../test/tester.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import { ulid } from '../../ulid.ts';
import type { Gate } from '../gate.ts';
import { createGatesStore } from '../gates-store.ts';
import { createDecisionLog, type DecisionLog } from '../segments/decision-log.ts';
import { batchOf } from '../segments/entry-batch.ts';
import { createSegmentsStore } from '../segments/segments-store.ts';
import type { HourCounts } from './decision-counts.ts';
import { pruneDecisions } from './decision-retention.ts';
import { createDecisionsStore, type LoggedRow } from './decisions-store.ts';
import { createOutcomesStore } from './outcomes-store.ts';
import { createStatsStore, rewriteCountedNames } from './stats-store.ts';

const nowMs = Date.UTC(2026, 10, 15);
const dayMs = 86_400_000;
const owner = { accountId: 'account', environment: 'production', by: tester } as const;

await describeEngines('the store of decisions', (fresh) => {
  let db: Db;
  let store: DecisionLog;
  before(async () => {
    db = await openDatabase(await fresh());
    store = createDecisionLog(createDecisionsStore(db), createSegmentsStore(db), createOutcomesStore(db));
    const account = { id: owner.accountId, name: 'x', email: 'x@y.zz', plan: 'self-hosted', overage: 0, created_at: 0 };
    await db.write.insertInto('accounts').values(account).execute();
  });
  after(() => db.close());

  const createGate = async (): Promise<string> => {
    const id = ulid(nowMs).toLowerCase();
    const texts = { name: 'Gate', description: null, defaultAction: 'allow', wait: [] } as const;
    const gate: Gate = { ...texts, id, rules: [], revision: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
    assert.ok(await createGatesStore(db).insert(owner, gate, 100));
    return id;
  };
  const row = (gateId: string, atMs: number): LoggedRow => ({
    id: ulid(atMs),
    gateId,
    action: 'allow',
    ruleId: null,
    emailKey: null,
    domain: 'example.com',
    ip: null,
    entry: '{}',
  });
  const counts = (gateId: string, hourMs: number): HourCounts => ({
    gateId,
    hourMs,
    allow: 1,
    block: 0,
    challenge: 2,
    rules: new Map([['rule', { ruleId: 'rule', name: 'Rule', matches: 2, shadowMatches: 1 }]]),
  });
  const logged = (gateId: string) => store.list(gateId, {}, 10_000);

  it('attaches the outcomes of many entries, whether all or few of those between them have one', async () => {
    const gateId = await createGate();
    const rows = Array.from({ length: 1_000 }, (_, index) => row(gateId, nowMs + index));
    const outcomes = createOutcomesStore(db);
    await outcomes.write(
      rows.map(({ id }, index) => {
        const outcome = index % 2 === 0 ? 'good' : 'bad';
        return {
          gateId,
          decisionId: id,
          outcome,
          reason: `${index}`,
          action: 'allow',
          ruleIds: [],
          domain: 'example.com',
        };
      }),
    );
    const reasonsOf = async (some: readonly LoggedRow[]) =>
      (await outcomes.attach(some)).map(({ outcome }) => Number(outcome?.reason));
    assert.deepEqual(await reasonsOf(rows), [...rows.keys()]);
    const few = [...rows.keys()].filter((index) => index % 4 === 0).reverse();
    assert.deepEqual(await reasonsOf(few.flatMap((index) => rows[index] ?? [])), few);
  });

  it('an entry written twice, after an answer that was lost, is there once', async () => {
    const gateId = await createGate();
    const entry = row(gateId, nowMs);
    await store.write(batchOf([entry]), []);
    await store.write(batchOf([entry]), []);
    assert.deepEqual(await logged(gateId), [entry]);
  });

  it('a span of time holds its first moment and not its last, to the very first id of each', async () => {
    const gateId = await createGate();
    const firstIdAt = (atMs: number) => ulid(atMs).slice(0, 10).padEnd(26, '0');
    const [from, to] = [nowMs, nowMs + 1].map((atMs) => ({ ...row(gateId, atMs), id: firstIdAt(atMs) }));
    assert.ok(from !== undefined && to !== undefined);
    await store.write(batchOf([from, to]), []);
    const span = await store.list(gateId, { fromMs: nowMs, toMs: nowMs + 1 }, 10);
    assert.deepEqual(
      span.map(({ id }) => id),
      [from.id],
    );
  });

  it('what belongs to a gate that is gone is left out, the rest is written', async () => {
    const gateId = await createGate();
    await store.write(batchOf([row(gateId, nowMs), row('gone', nowMs)]), [counts(gateId, 0), counts('gone', 0)]);
    assert.equal((await logged(gateId)).length, 1);
    assert.deepEqual(await logged('gone'), []);
    const rows = await db.read.selectFrom('decision_counts').select('gate_id').where('gate_id', '=', 'gone').execute();
    assert.deepEqual(rows, []);
  });

  it('rewriting counted names changes those of the account, by hour and by day', async () => {
    const gateId = await createGate();
    await store.write(batchOf([]), [counts(gateId, 0)]);
    const stats = createStatsStore(db);
    const names = async () => [
      (await stats.rules(gateId, 0, 1))[0]?.name,
      (await stats.topRules([gateId], 0, 1))[0]?.name,
    ];
    await rewriteCountedNames(db, 'another account', () => 'Wrong');
    assert.deepEqual(await names(), ['Rule', 'Rule']);
    await rewriteCountedNames(db, owner.accountId, (name) => name.replace('Rule', '[erased]'));
    assert.deepEqual(await names(), ['[erased]', '[erased]']);
  });

  it('counters add up when several instances write them concurrently in any order', async () => {
    const gateIds = [await createGate(), await createGate(), await createGate()];
    const stats = createStatsStore(db);
    await Promise.all(
      Array.from({ length: 20 }, (_, round) => {
        const all = gateIds.map((gateId) => counts(gateId, 0));
        return store.write(batchOf([]), round % 2 === 0 ? all : all.reverse());
      }),
    );
    for (const gateId of gateIds) {
      const found = await stats.actions([gateId], 0, 1, 3_600_000);
      assert.deepEqual(
        found.sort((one, other) => (one.action < other.action ? -1 : 1)),
        [
          { gateId, atMs: 0, action: 'allow', decisions: 20 },
          { gateId, atMs: 0, action: 'challenge', decisions: 40 },
        ],
      );
      assert.deepEqual(await stats.rules(gateId, 0, 1), [
        { ruleId: 'rule', name: 'Rule', matches: 40, shadowMatches: 20 },
      ]);
    }
  });

  describe('retention', () => {
    it('retention of the decision log removes the log after its days and the counts after 400, and nothing younger [D255]', async () => {
      const gateId = await createGate();
      const stats = createStatsStore(db);
      const rows = Array.from({ length: 2_500 }, () => row(gateId, nowMs - 30 * dayMs - 1));
      const young = row(gateId, nowMs - 30 * dayMs);
      const [oldHour, youngHour] = [nowMs - 400 * dayMs - 3_600_000, nowMs - 400 * dayMs];
      await store.write(batchOf([...rows, young]), [counts(gateId, oldHour), counts(gateId, youngHour)]);
      await pruneDecisions(store, stats, nowMs, 30);
      assert.deepEqual(await logged(gateId), [young]);
      const left = await stats.actions([gateId], 0, nowMs, 3_600_000);
      assert.deepEqual(new Set(left.map(({ atMs }) => atMs)), new Set([youngHour]));
      assert.deepEqual(
        (await stats.rules(gateId, 0, nowMs)).map(({ matches }) => matches),
        [2],
      );
    });

    it('retention of the decision log removes everything logged before when the log is off', async () => {
      const gateId = await createGate();
      await store.write(batchOf([row(gateId, nowMs - 1)]), []);
      await pruneDecisions(store, createStatsStore(db), nowMs, 0);
      assert.deepEqual(await logged(gateId), []);
    });

    it('retention of the decision log removes what is left of a gate that is gone, and of no other', async () => {
      const [gone, stays] = [await createGate(), await createGate()];
      for (const gateId of [gone, stays]) {
        const rows = Array.from({ length: 1_500 }, () => row(gateId, nowMs));
        await store.write(batchOf(rows), [counts(gateId, nowMs)]);
      }
      assert.ok(await createGatesStore(db).remove(owner, gone, nowMs));
      await pruneDecisions(store, createStatsStore(db), nowMs, 30);
      assert.deepEqual(await logged(gone), []);
      assert.equal((await logged(stays)).length, 1_500);
      const tables = await Promise.all([
        db.read.selectFrom('decision_counts').select('gate_id').where('gate_id', '=', gone).execute(),
        db.read.selectFrom('rule_counts').select('gate_id').where('gate_id', '=', gone).execute(),
        db.read.selectFrom('removed_gates').select('id').execute(),
      ]);
      assert.deepEqual(tables, [[], [], []]);
      assert.equal((await createStatsStore(db).actions([stays], nowMs, nowMs + 1, 3_600_000)).length, 2);
    });
  });
});
