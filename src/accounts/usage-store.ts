import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import { readByKey } from '../db/read-by-key.ts';
import type { Schema } from '../db/schema.ts';
import { withParameters } from '../db/with-parameters.ts';

/** Credits used per account and billing cycle, in the database. */
export interface UsageStore {
  /** The newest cycle that was counted and starts no later than `latestStartMs`. */
  newest(accountId: string, latestStartMs: number): Promise<{ startMs: number; used: number } | null>;
  /** Adds what was used to several months, each named once, to all or none. */
  add(changes: readonly CreditsUsed[]): Promise<void>;
}

/** An account's month, and how much of it was used before and after something was. */
export interface CreditsUsed {
  readonly accountId: string;
  readonly startMs: number;
  readonly endMs: number;
  /** The credits of the month by the plan of whoever used some last. */
  readonly limit: number;
  readonly usedBefore: number;
  readonly used: number;
}

/** Told of months inside the transaction that writes them. */
export type OnMonthsWritten = (trx: Transaction<Schema>, months: readonly CreditsUsed[]) => Promise<void>;

/** Credits used in a database; `onWritten` is told of every month that is written. */
export function createUsageStore(db: Db, onWritten: OnMonthsWritten = async () => {}): UsageStore {
  // All of them, newest first: there is one a month.
  const monthsOf = readByKey(
    db,
    (accountId) =>
      db.read.selectFrom('usage').selectAll().where('account_id', '=', accountId).orderBy('cycle_start', 'desc'),
    (row) => row.account_id,
  );
  // Built once: to build it takes as long as to write a hundred accounts.
  // One statement for all, and in one order everywhere: two instances that lock the same rows must not wait for each other.
  const addAll = sql`
    insert into usage (account_id, cycle_start, used) ${added(db.engine)}
    on conflict (account_id, cycle_start) do update set used = usage.used + excluded.used`.compile(db.read);
  return {
    async newest(accountId, latestStartMs) {
      const months = await monthsOf(accountId);
      const row = months.find((month) => month.cycle_start <= latestStartMs);
      return row === undefined ? null : { startMs: row.cycle_start, used: row.used };
    },
    async add(changes) {
      const values = changes.map(({ accountId, startMs, usedBefore, used }) => [accountId, startMs, used - usedBefore]);
      await db.background.transaction(async (trx) => {
        await trx.executeQuery(withParameters(addAll, JSON.stringify(values)));
        await onWritten(trx, changes);
      });
    },
  };
}

/** The changes as rows. */
function added(engine: Db['engine']): RawBuilder<unknown> {
  return engine === 'postgres'
    ? sql`select value->>0, (value->>1)::bigint, (value->>2)::bigint
        from json_array_elements(${''}::json) as change (value) order by 1, 2`
    : sql`select value->>0, value->>1, value->>2 from json_each(${''}) where true`;
}
