import { sql } from 'kysely';
import type { Db } from '../../src/db/db.ts';
import type { Schema } from '../../src/db/schema.ts';
import { fullBatch, type LoggedRow } from '../../src/gates/decisions/decisions-store.ts';
import { batchOf } from '../../src/gates/segments/entry-batch.ts';
import { sealDecisions } from '../../src/gates/segments/sealing.ts';
import { makeSegment, type NewSegment } from '../../src/gates/segments/segment.ts';
import { createSegmentsStore } from '../../src/gates/segments/segments-store.ts';
import { ulid } from '../../src/ulid.ts';
import { seededRandom } from '../seeded-random.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const days = 30;
const segmentsPerBatch = 20;
const rowsPerBatch = 500;
/** Segments of one bucket. */
const mergedAtOnce = 32;
const auditedChanges = 100_000;

/** A gate of the generated log. */
export interface LoggingGate {
  readonly id: string;
  readonly ruleIds: readonly string[];
}

/** Writes a month of entries for these gates straight into the database, sealed as the service seals them. */
export async function writeLongLog(
  db: Db,
  gates: readonly LoggingGate[],
  entries: number,
  sample: readonly LoggedRow[],
  nowMs: number,
): Promise<void> {
  const store = createSegmentsStore(db);
  const random = seededRandom(14);
  const stepMs = (days * dayMs) / entries;
  let made = 0;
  const nextRow = (): LoggedRow => {
    const atMs = Math.floor(nowMs - days * dayMs + made * stepMs);
    made += 1;
    const gate = random.pick(gates);
    const like = random.pick(sample);
    return {
      ...like,
      id: ulid(atMs),
      gateId: gate.id,
      ruleId: like.ruleId === null ? null : random.pick(gate.ruleIds),
      emailKey: `${random.integer(entries)}@${like.domain}`,
    };
  };
  while (made < entries) {
    const segments: NewSegment[] = [];
    for (let count = 0; count < segmentsPerBatch && made < entries; count += 1) {
      segments.push(makeSegment(batchOf(Array.from({ length: Math.min(fullBatch, entries - made) }, nextRow))));
    }
    await db.transaction(async (trx) => {
      for (const segment of segments) await store.adding(segment)(trx);
    });
    if (made % 1_000_000 < segmentsPerBatch * fullBatch) console.error(`${db.engine}: ${made} entries`);
  }
  // The service merges too, and either of them stops when the other was first.
  while ((await store.singles(mergedAtOnce)).length === mergedAtOnce) {
    await sealDecisions(store, new AbortController().signal);
  }
}

/** Writes the counters of that month: every gate, hour and action, every rule, the lookups and their domains. */
export async function writeCounters(
  db: Db,
  gates: readonly LoggingGate[],
  owner: { readonly accountId: string; readonly environment: string },
  nowMs: number,
): Promise<void> {
  const random = seededRandom(41);
  const lastHour = nowMs - (nowMs % hourMs);
  const hours = Array.from({ length: days * 24 }, (_, back) => lastHour - back * hourMs);
  const starts = (spanMs: number) => [...new Set(hours.map((hour) => hour - (hour % spanMs)))];
  const { accountId: account_id, environment } = owner;
  await insert(
    db,
    'decision_counts',
    gates.flatMap(({ id }) =>
      hours.flatMap((hour) =>
        ['allow', 'block', 'challenge'].map((action) => ({
          gate_id: id,
          hour,
          action,
          decisions: 1 + random.integer(100),
        })),
      ),
    ),
  );
  const ofRules = gates.flatMap(({ id, ruleIds }) =>
    ruleIds.map((rule_id) => ({ gate_id: id, rule_id, name: 'A rule' })),
  );
  const matches = () => 1 + random.integer(50);
  await insert(
    db,
    'rule_counts',
    ofRules.flatMap((rule) => hours.map((hour) => ({ ...rule, hour, matches: matches(), shadow_matches: 0 }))),
  );
  await insert(
    db,
    'rule_days',
    ofRules.flatMap((rule) => starts(dayMs).map((day) => ({ ...rule, day, matches: matches(), shadow_matches: 0 }))),
  );
  await insert(
    db,
    'environment_counts',
    hours.map((hour) => ({ account_id, environment, hour, allow: 5_000, block: 400, challenge: 300 })),
  );
  const found = { disposable: 40, relay: 8, no_mail: 12, not_found_out: 3, peak: 9 };
  await insert(
    db,
    'lookup_counts',
    hours.map((hour) => ({ account_id, environment, hour, lookups: 1_000, ...found })),
  );
  await insert(
    db,
    'lookup_domains',
    starts(6 * hourMs).flatMap((quarter) =>
      Array.from({ length: 100 }, (_, place) => ({
        account_id,
        environment,
        quarter,
        domain: `domain-${(place * 7 + quarter / hourMs) % 1_000}.example`,
        lookups: matches(),
      })),
    ),
  );
  await insert(
    db,
    'audit',
    Array.from({ length: auditedChanges }, (_, index) => {
      const at = nowMs - index * ((days * dayMs) / auditedChanges);
      const actor = { actor_kind: 'key', actor_id: 'k', actor_from: null };
      const act = { action: index % 50 === 0 ? 'gate.changed' : 'blocklist.added', subject: environment };
      return { id: ulid(at), at: Math.floor(at), ...actor, account_id, environment, ...act, detail: '{"count":1}' };
    }),
  );
  // As autovacuum would have done long before a month is over.
  if (db.engine === 'postgres') await sql`vacuum analyze`.execute(db.write);
}

async function insert<Table extends keyof Schema>(db: Db, table: Table, rows: readonly object[]): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.deleteFrom(table).execute();
    for (let start = 0; start < rows.length; start += rowsPerBatch) {
      const some = rows.slice(start, start + rowsPerBatch) as never;
      await trx.insertInto(table).values(some).execute();
    }
  });
}
