import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { readByKey } from '../db/read-by-key.ts';
import type { FactsTable } from '../db/tables/knowledge-tables.ts';
import { chunksOf } from '../platform/chunks-of.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';

/** The kinds of stored facts. */
export type FactKind = 'mx' | 'spf' | 'dmarc' | 'registration';

/** A fact from the network, with its time and source. */
export interface Fact {
  readonly domain: string;
  readonly kind: FactKind;
  readonly value: unknown;
  readonly source: string;
  readonly learntAtMs: number;
}

export interface FactsStore {
  /** Every stored fact about a domain; not a promise where the storage answers synchronously. */
  load(domain: string): readonly Fact[] | Promise<readonly Fact[]>;
  save(facts: readonly Fact[]): Promise<void>;
  /** Removes facts older than `beforeMs` and the oldest beyond `max`, in batches until `ended`. Returns how many. */
  prune(beforeMs: number, max: number, ended?: AbortSignal): Promise<number>;
}

/** Rows in one statement: five parameters each, well below the limits of both engines. */
const rowsAtOnce = 500;
/** Rows counted in one statement, about ten milliseconds of SQLite's. */
const countedAtOnce = 100_000;

export function createFactsStore(db: Db): FactsStore {
  const ofDomain = readByKey(
    db,
    (domain) => db.read.selectFrom('facts').selectAll().where('domain', '=', domain),
    (row) => row.domain,
  );
  return {
    load: (domain) => mapMaybePromise(ofDomain(domain), toFacts),
    save: (facts) =>
      db.background.transaction(async (trx) => {
        for (const some of chunksOf(facts, rowsAtOnce)) {
          const rows = some.map(({ domain, kind, value, source, learntAtMs }) => ({
            domain,
            kind,
            value: JSON.stringify(value),
            source,
            learnt_at: learntAtMs,
          }));
          await trx
            .insertInto('facts')
            .values(rows)
            .onConflict((conflict) =>
              conflict.columns(['domain', 'kind']).doUpdateSet((row) => ({
                value: row.ref('excluded.value'),
                source: row.ref('excluded.source'),
                learnt_at: row.ref('excluded.learnt_at'),
              })),
            )
            .execute();
        }
      }),
    async prune(beforeMs, max, ended) {
      const limitMs = Math.max(beforeMs, (await newestBeyond(db, max)) ?? 0);
      let removed = 0;
      for (let some = rowsAtOnce; some === rowsAtOnce && !ended?.aborted; removed += some) {
        some = await removeOldest(db, limitMs);
      }
      return removed;
    },
  };
}

function toFacts(rows: readonly FactsTable[]): readonly Fact[] {
  return rows.map((row) => ({
    domain: row.domain,
    kind: row.kind as FactKind,
    value: JSON.parse(row.value),
    source: row.source,
    learntAtMs: row.learnt_at,
  }));
}

/** When the newest fact beyond `max` was learnt; null when there are no more than that. */
async function newestBeyond(db: Db, max: number): Promise<number | null> {
  let atMs = Number.MAX_SAFE_INTEGER;
  for (let left = max + 1; left > 0; left -= countedAtOnce) {
    const row = await db.read
      .selectFrom('facts')
      .select('learnt_at')
      .where('learnt_at', '<', atMs)
      .orderBy('learnt_at', 'desc')
      .offset(Math.min(left, countedAtOnce) - 1)
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return null;
    atMs = row.learnt_at;
  }
  return atMs;
}

async function removeOldest(db: Db, limitMs: number): Promise<number> {
  const oldest = sql`select domain, kind from facts where learnt_at <= ${limitMs} order by learnt_at limit ${rowsAtOnce}`;
  const { numAffectedRows } = await sql`delete from facts where (domain, kind) in (${oldest})`.execute(
    db.background.write,
  );
  return Number(numAffectedRows ?? 0);
}
