import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';

/** Credits used per account and billing cycle, in the database. */
export interface UsageStore {
  /** The newest cycle that was counted and starts no later than `latestStartMs`. */
  newest(accountId: string, latestStartMs: number): Promise<{ startMs: number; used: number } | null>;
  /** Adds to several counters, to all or none; the new totals, in the same order. */
  add(changes: readonly { accountId: string; startMs: number; credits: number }[]): Promise<number[]>;
}

export function createUsageStore(db: Db): UsageStore {
  return {
    async newest(accountId, latestStartMs) {
      const row = await db.read
        .selectFrom('usage')
        .select(['cycle_start', 'used'])
        .where('account_id', '=', accountId)
        .where('cycle_start', '<=', latestStartMs)
        .orderBy('cycle_start', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : { startMs: row.cycle_start, used: row.used };
    },
    async add(changes) {
      const values = JSON.stringify(changes.map(({ accountId, startMs, credits }) => [accountId, startMs, credits]));
      // One statement for all, and in one order everywhere: two instances that lock the same rows must not wait for each other.
      const { rows } = await sql<Schema['usage']>`
        insert into usage (account_id, cycle_start, used) ${added(db.engine, values)}
        on conflict (account_id, cycle_start) do update set used = usage.used + excluded.used
        returning account_id, cycle_start, used`.execute(db.write);
      const totals = new Map(rows.map((row) => [keyOf(row.account_id, row.cycle_start), row.used]));
      return changes.map(({ accountId, startMs }) => totals.get(keyOf(accountId, startMs)) ?? 0);
    },
  };
}

const keyOf = (accountId: string, startMs: number): string => `${accountId} ${startMs}`;

/** The changes as rows; those of one counter are added up first, because a statement may change a row only once. */
function added(engine: Db['engine'], values: string): RawBuilder<unknown> {
  return engine === 'postgres'
    ? sql`select value->>0, (value->>1)::bigint, sum((value->>2)::bigint)
        from json_array_elements(${values}::json) as change (value) group by 1, 2 order by 1, 2`
    : sql`select value->>0, value->>1, sum(value->>2) from json_each(${values}) where true group by 1, 2`;
}
