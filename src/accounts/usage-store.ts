import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';
import { withParameters } from '../db/with-parameters.ts';

/** Credits used per account and billing cycle, in the database. */
export interface UsageStore {
  /** The newest cycle that was counted and starts no later than `latestStartMs`. */
  newest(accountId: string, latestStartMs: number): Promise<{ startMs: number; used: number } | null>;
  /** Adds to several counters, to all or none; the new totals, in the same order. */
  add(changes: readonly CreditsUsed[]): Promise<number[]>;
}

/** Credits to be added to an account's month. */
export interface CreditsUsed {
  readonly accountId: string;
  readonly startMs: number;
  readonly endMs: number;
  /** The credits of the month by the plan of whoever used some last. */
  readonly limit: number;
  readonly credits: number;
}

/** An account's month that was written, and how much of it was used before and after. */
export interface MonthWritten extends Omit<CreditsUsed, 'credits'> {
  readonly usedBefore: number;
  readonly used: number;
}

/** Told of months inside the transaction that writes them. */
export type OnMonthsWritten = (trx: Transaction<Schema>, months: readonly MonthWritten[]) => Promise<void>;

/** Credits used in a database; `onWritten` is told of every month that is written. */
export function createUsageStore(db: Db, onWritten: OnMonthsWritten = async () => {}): UsageStore {
  // Built once: to build it takes as long as to write a hundred accounts.
  // One statement for all, and in one order everywhere: two instances that lock the same rows must not wait for each other.
  const addAll = sql`
    insert into usage (account_id, cycle_start, used) ${added(db.engine)}
    on conflict (account_id, cycle_start) do update set used = usage.used + excluded.used`.compile(db.read);
  const totalsOf = readTotals(db);
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
      return db.background.transaction(async (trx) => {
        await trx.executeQuery(withParameters(addAll, values));
        const used = await totalsOf(trx, values);
        await onWritten(
          trx,
          changes.map((change, index) => monthWritten(change, used[index] ?? 0)),
        );
        return used;
      });
    },
  };
}

function monthWritten({ accountId, startMs, endMs, limit, credits }: CreditsUsed, used: number): MonthWritten {
  return { accountId, startMs, endMs, limit, usedBefore: used - credits, used };
}

/**
 * What was used in months that have a row, in the order of a JSON array of arrays that begin with account and start. One row for
 * all of them: on the embedded database `returning` a row for each takes this process half as long again.
 */
function readTotals({ engine, read }: Db): (trx: Transaction<Schema>, months: string) => Promise<number[]> {
  const query = (
    engine === 'postgres'
      ? sql<{ totals: string | null }>`select json_agg(used order by position)::text as totals
          from json_array_elements(${''}::json) with ordinality as list (value, position)
          join usage on account_id = value->>0 and cycle_start = (value->>1)::bigint`
      : sql<{ totals: string | null }>`select json_group_array(used order by list.key) as totals
          from json_each(${''}) list join usage on account_id = value->>0 and cycle_start = value->>1`
  ).compile(read);
  return async (trx, months) => {
    const { rows } = await trx.executeQuery(withParameters(query, months));
    return JSON.parse(rows[0]?.totals ?? '[]') as number[];
  };
}

/** The changes as rows; PostgreSQL has those of one counter added up first, because there a statement may change a row only once. */
function added(engine: Db['engine']): RawBuilder<unknown> {
  return engine === 'postgres'
    ? sql`select value->>0, (value->>1)::bigint, sum((value->>2)::bigint)
        from json_array_elements(${''}::json) as change (value) group by 1, 2 order by 1, 2`
    : sql`select value->>0, value->>1, value->>2 from json_each(${''}) where true`;
}
