import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { until } from '../../../test/eventually.ts';
import { tester } from '../../../test/tester.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import { ulid } from '../../ulid.ts';
import { pruneDecisions } from '../decisions/decision-retention.ts';
import { createDecisionsStore, type LogFilter, type LoggedRow } from '../decisions/decisions-store.ts';
import { createOutcomesStore } from '../decisions/outcomes-store.ts';
import { createStatsStore } from '../decisions/stats-store.ts';
import type { Gate } from '../gate.ts';
import { createGatesStore } from '../gates-store.ts';
import { gateSignals, placeOf } from '../rules/signals.ts';
import { createDecisionLog, type DecisionLog } from './decision-log.ts';
import { batchOf } from './entry-batch.ts';
import { idSpan, matches } from './log-filter.ts';
import { sealDecisions } from './sealing.ts';
import { decodeSegment } from './segment-codec.ts';
import { createSegmentsStore, type SegmentsStore } from './segments-store.ts';

const nowMs = Date.UTC(2026, 10, 15);
const dayMs = 86_400_000;
const owner = { accountId: 'account', environment: 'production', by: tester } as const;
const notEnded = new AbortController().signal;

const [countryPlace, asnPlace] = [placeOf('ip', 'geo.country_code'), placeOf('ip', 'network.asn')];

/** The JSON of an entry, with the values that filters read from it; an entry keeps the values of an IP address without the first. */
function entryText(index: number): string {
  const ip = gateSignals.ip.map((_, place) => {
    if (place === countryPlace) return index % 5 === 0 ? 'DE' : 'FR';
    return place === asnPlace ? 64_500 + (index % 6) : null;
  });
  const entry: unknown[] = [index, 'text with "quotes", a line\nbreak and ü'];
  entry[7] = ip.slice(1);
  entry[12] =
    index % 4 === 0 ? [['fakefilter', 'disposable', null]] : index % 4 === 1 ? [['freemail', 'public', null]] : [];
  return JSON.stringify(entry);
}

await describeEngines('the sealed log', (fresh) => {
  let db: Db;
  let store: DecisionLog;
  let segments: SegmentsStore;
  let gateIds: string[];
  before(async () => {
    db = await openDatabase(await fresh());
    segments = createSegmentsStore(db);
    // Nothing is sealed before sealing runs, however large the batches are.
    store = createDecisionLog(createDecisionsStore(db), segments, createOutcomesStore(db), Number.POSITIVE_INFINITY);
    const account = { id: owner.accountId, name: 'x', email: 'x@y.zz', plan: 'self-hosted', overage: 0, created_at: 0 };
    await db.write.insertInto('accounts').values(account).execute();
  });
  after(() => db.close());
  beforeEach(async () => {
    for (const table of ['decisions', 'decision_segments', 'decision_buckets', 'decision_terms'] as const) {
      await db.write.deleteFrom(table).execute();
    }
    gateIds = [await createGate(), await createGate()];
  });

  const createGate = async (): Promise<string> => {
    const id = ulid(nowMs).toLowerCase();
    const texts = { name: 'Gate', description: null, defaultAction: 'allow', wait: [] } as const;
    const gate: Gate = { ...texts, id, rules: [], revision: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
    assert.ok(await createGatesStore(db).insert(owner, gate, 1_000));
    return id;
  };
  /** Entries with every combination of filtered values; the rule `odd` never blocks. */
  const made = (count: number, startMs = nowMs - count * 1_000): LoggedRow[] =>
    Array.from({ length: count }, (_, index) => ({
      id: ulid(startMs + index * 1_000),
      gateId: gateIds[index % 3 === 0 ? 1 : 0] ?? '',
      action: index % 2 === 0 ? 'block' : 'allow',
      ruleId: index % 2 === 0 ? (index % 5 === 0 ? 'rule' : null) : 'odd',
      emailKey: index % 7 === 0 ? null : `user${index % 11}@example${index % 4}.com`,
      domain: `example${index % 4}.com`,
      ip: index % 3 === 0 ? null : `203.0.113.${index % 13}`,
      entry: entryText(index),
    }));
  const expected = (rows: readonly LoggedRow[], gateId: string, filter: LogFilter, limit: number) =>
    rows
      .filter((row) => matches(row, [gateId], filter, idSpan(filter)))
      .sort((one, other) => (one.id < other.id ? 1 : -1))
      .slice(0, limit);
  const sealAll = () => sealDecisions(segments, notEnded, { rows: 10, segments: 4 });
  const count = async (table: 'decisions' | 'decision_segments' | 'decision_buckets') =>
    (
      await db.read
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
    ).rows;
  const sealedIds = async () => {
    const segments = await db.read.selectFrom('decision_segments').select('body').execute();
    return segments.flatMap(({ body }) => decodeSegment(body).map(({ id }) => id)).sort();
  };
  const gate = (index = 0) => gateIds[index] ?? '';

  it('the sealed log is found by every filter as if it were not sealed, in merged buckets, single ones and the table', async () => {
    const rows = made(137);
    // Entries of an instance whose storage was unavailable arrive late.
    const late = rows.filter((_, index) => index % 20 < 3);
    await store.write(batchOf(rows.filter((row) => !late.includes(row))), []);
    await sealAll();
    await store.write(batchOf(late), []);
    await sealAll();
    assert.deepEqual([await count('decisions'), await count('decision_segments')], [7, 13]);
    assert.equal(await count('decision_buckets'), 4);
    const at = (index: number) => nowMs - (137 - index) * 1_000;
    const filters: LogFilter[] = [
      {},
      { domain: 'example1.com' },
      { emailKeys: ['user3@example3.com', 'user5@example1.com'] },
      { emailKeys: ['nobody@example.com'] },
      { ips: ['203.0.113.4', '203.0.113.5'] },
      { actions: ['block'] },
      { actions: ['allow', 'block'], ruleId: 'rule' },
      { source: 'fakefilter' },
      { source: 'fakefilter', actions: ['allow'] },
      { source: 'nobody' },
      { country: 'DE' },
      { country: 'DE', source: 'freemail', domain: 'example1.com' },
      { country: 'IT' },
      { network: { asn: 64_503 } },
      { network: { block: '203.0.113.0/24' } },
      { network: { block: '203.0.114.0/24' } },
      { ruleId: 'rule' },
      { actions: ['block'], ruleId: 'rule' },
      { actions: ['block'], ruleId: 'odd' },
      { domain: 'example1.com', actions: ['allow'], ruleId: 'odd' },
      { fromMs: at(30), toMs: at(60) },
      { fromMs: at(30), toMs: at(60), domain: 'example2.com' },
      { beforeId: rows[77]?.id ?? '' },
      { beforeId: rows[77]?.id ?? '', fromMs: at(12), actions: ['allow'] },
    ];
    for (const filter of filters) {
      for (const gateId of gateIds) {
        for (const limit of [1, 4, 26, 1_000]) {
          const found = await store.list(gateId, filter, limit);
          assert.deepEqual(found, expected(rows, gateId, filter, limit), JSON.stringify([filter, limit]));
        }
        const all = expected(rows, gateId, filter, 1_000).length;
        for (const most of [1, 26, 1_000]) {
          const counted = { count: Math.min(all, most), complete: all <= most };
          assert.deepEqual(await store.countOf([gateId], filter, most), counted, JSON.stringify([filter, most]));
        }
      }
    }
    for (const row of rows) {
      assert.deepEqual(await store.find(row.gateId, row.id), row);
      const other = gateIds.find((gateId) => gateId !== row.gateId) ?? '';
      assert.equal(await store.find(other, row.id), null);
    }
    assert.equal(await store.find(gate(), ulid(nowMs)), null);
  });

  it('a damaged segment of the sealed log is skipped by searches and removals, and goes when its last entry expires [D706]', async () => {
    const rows = made(20).map((row) => ({ ...row, gateId: gate() }));
    await store.write(batchOf(rows), []);
    await sealAll();
    const first = await db.read.selectFrom('decision_segments').select('no').orderBy('no').executeTakeFirstOrThrow();
    const query = db.write.updateTable('decision_segments').set({ body: Buffer.from('no block') });
    await query.where('no', '=', first.no).execute();
    const readable = rows.slice(10).map(({ id }) => id);
    assert.deepEqual((await store.list(gate(), {}, 100)).map(({ id }) => id).reverse(), readable);
    assert.equal((await store.countOf([gate()], {}, 100)).count, 10);
    assert.equal(await store.find(gate(), rows[0]?.id ?? ''), null);
    assert.equal(segments.isDamaged(first.no), true);
    const pruneFirst = async (entries: number) => {
      while (await store.pruneSealed(nowMs - (20 - entries) * 1_000));
    };
    await pruneFirst(5);
    assert.equal(await count('decision_segments'), 2);
    await pruneFirst(12);
    assert.deepEqual(
      await sealedIds(),
      rows.slice(12).map(({ id }) => id),
    );
  });

  it('a span of the sealed log includes its start and excludes its end, and a page continues before its cursor', async () => {
    const rows = made(20, nowMs).map((row, index) => ({
      ...row,
      id: ulid(nowMs + index)
        .slice(0, 10)
        .padEnd(26, '0'),
      gateId: gate(),
    }));
    await store.write(batchOf(rows), []);
    await sealAll();
    assert.equal(await count('decisions'), 0);
    const found = async (filter: LogFilter) => (await store.list(gate(), filter, 100)).map(({ id }) => id).reverse();
    const ids = rows.map(({ id }) => id);
    assert.deepEqual(await found({ fromMs: nowMs + 2, toMs: nowMs + 5 }), ids.slice(2, 5));
    assert.deepEqual(await found({ beforeId: ids[5] ?? '' }), ids.slice(0, 5));
  });

  it('the sealed log shows an entry once that was written again after it was sealed', async () => {
    const rows = made(10);
    await store.write(batchOf(rows), []);
    await sealAll();
    await store.write(batchOf(rows), []);
    await sealAll();
    assert.deepEqual(await store.list(gate(), {}, 100), expected(rows, gate(), {}, 100));
  });

  it('a large batch is sealed without ever being in the table, and found as if it had been; a small one is not sealed', async () => {
    const rows = made(29);
    const sealing = createDecisionLog(createDecisionsStore(db), segments, createOutcomesStore(db), 20);
    await sealing.write(batchOf(rows.slice(0, 20)), []);
    await sealing.write(batchOf(rows.slice(20)), []);
    assert.deepEqual([await count('decisions'), await count('decision_segments')], [9, 1]);
    for (const gateId of gateIds) {
      assert.deepEqual(await sealing.list(gateId, {}, 100), expected(rows, gateId, {}, 100));
    }
  });

  it('a large batch that is written again, because the answer to its commit was lost, is sealed once', async () => {
    const rows = made(20);
    const sealing = createDecisionLog(createDecisionsStore(db), segments, createOutcomesStore(db), 20);
    await sealing.write(batchOf(rows), []);
    await sealing.write(batchOf(rows), []);
    assert.deepEqual(await sealedIds(), rows.map(({ id }) => id).sort());
  });

  it('a large batch of which a gate was removed meanwhile leaves out what that gate decided', async () => {
    const rows = made(20);
    assert.ok(await createGatesStore(db).remove(owner, gate(1), nowMs));
    await createDecisionLog(createDecisionsStore(db), segments, createOutcomesStore(db), 20).write(batchOf(rows), []);
    assert.equal(await count('decision_segments'), 0);
    assert.deepEqual(await store.list(gate(1), {}, 100), []);
    assert.deepEqual(await store.list(gate(), {}, 100), expected(rows, gate(), {}, 100));
  });

  it('a filter decompresses only segments that hold an entry it asks for [Q32]', async () => {
    const rows = made(200).map((row, index) => ({ ...row, domain: index === 77 ? 'rare.example' : row.domain }));
    await store.write(batchOf(rows), []);
    await sealAll();
    let decompressed = 0;
    const counting: SegmentsStore = {
      ...segments,
      body(no) {
        decompressed += 1;
        return segments.body(no);
      },
    };
    const rare = rows[77] as LoggedRow;
    const log = createDecisionLog(createDecisionsStore(db), counting, createOutcomesStore(db));
    assert.deepEqual(await log.list(rare.gateId, { domain: 'rare.example' }, 100), [rare]);
    assert.equal(decompressed, 1);
    assert.deepEqual(await log.list(rare.gateId, { domain: 'absent.example' }, 100), []);
    assert.equal(decompressed, 1);
  });

  it('the sealed log holds every entry once when several seal and merge at the same time', async () => {
    const rows = made(200);
    await store.write(batchOf(rows), []);
    await until(async () => {
      await Promise.all([sealAll(), sealAll(), sealAll()]);
      return (await count('decisions')) === 0;
    });
    await sealAll();
    assert.deepEqual(await sealedIds(), rows.map(({ id }) => id).sort());
    assert.deepEqual(await store.list(gate(), {}, 500), expected(rows, gate(), {}, 500));
  });

  it('the sealed log is read completely while it is sealed and merged', async () => {
    const rows = made(200);
    await store.write(batchOf(rows), []);
    const reading = async () => {
      for (let round = 0; round < 10; round += 1) {
        assert.deepEqual(await store.list(gate(), {}, 500), expected(rows, gate(), {}, 500));
      }
    };
    await Promise.all([sealAll(), reading()]);
  });

  describe('loses', () => {
    it('the sealed log loses what is older than it may become, to the entry, with its terms', async () => {
      const rows = made(100, nowMs - 30 * dayMs - 55_500);
      await store.write(batchOf(rows), []);
      await sealAll();
      await pruneDecisions(store, createStatsStore(db), nowMs, 30);
      const left = rows.slice(56);
      assert.deepEqual(await sealedIds(), left.map(({ id }) => id).sort());
      assert.deepEqual(await store.list(gate(), {}, 100), expected(left, gate(), {}, 100));
      await pruneDecisions(store, createStatsStore(db), nowMs + dayMs, 30);
      assert.deepEqual(await Promise.all([count('decision_segments'), count('decision_buckets')]), [0, 0]);
      assert.deepEqual(await db.read.selectFrom('decision_terms').select('part').execute(), []);
    });

    it('the sealed log loses what is erased of a gate, and nothing else', async () => {
      const rows = made(95);
      await store.write(batchOf(rows), []);
      await sealAll();
      const filter = { emailKeys: ['user3@example3.com'] };
      const erased = expected(rows, gate(), filter, 100);
      assert.ok(erased.length > 0);
      const ids = erased.map(({ id }) => id);
      await store.remove(gate(), ids);
      const left = rows.filter((row) => !ids.includes(row.id));
      assert.deepEqual(await store.list(gate(), filter, 100), []);
      for (const gateId of gateIds) {
        assert.deepEqual(await store.list(gateId, {}, 100), expected(left, gateId, {}, 100));
      }
    });

    it('the sealed log loses everything of a gate that was removed', async () => {
      const rows = made(95);
      await store.write(batchOf(rows), []);
      await sealAll();
      assert.ok(await createGatesStore(db).remove(owner, gate(1), nowMs));
      await pruneDecisions(store, createStatsStore(db), nowMs, 30);
      assert.deepEqual(await store.list(gate(1), {}, 100), []);
      assert.deepEqual(await store.list(gate(), {}, 100), expected(rows, gate(), {}, 100));
      const recent = await db.read.selectFrom('decisions').select('id').execute();
      const left = [...(await sealedIds()), ...recent.map(({ id }) => id)].sort();
      assert.deepEqual(
        left,
        rows
          .filter(({ gateId }) => gateId === gate())
          .map(({ id }) => id)
          .sort(),
      );
    });
  });
});
