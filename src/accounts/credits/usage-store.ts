import { sql, type Transaction } from 'kysely';
import type { Db } from '../../db/db.ts';
import { readByKey } from '../../db/read-by-key.ts';
import { rowsParameter } from '../../db/rows.ts';
import type { Schema } from '../../db/schema.ts';
import { withParameters } from '../../db/with-parameters.ts';

/** Credits used per account and billing cycle, in the database. */
export interface UsageStore {
  /** The newest stored cycle that starts no later than `latestStartMs`. */
  newest(accountId: string, latestStartMs: number): Promise<{ startMs: number; used: number } | null>;
  /** Adds used credits to several months in one transaction; each month occurs once. */
  add(changes: readonly CreditsUsed[]): Promise<void>;
}

/** An account's month, with its used credits before and after a write. */
export interface CreditsUsed {
  readonly accountId: string;
  readonly startMs: number;
  readonly endMs: number;
  /** The month's credits by the plan of the last request. */
  readonly limit: number;
  readonly usedBefore: number;
  readonly used: number;
}

/** Receives the written months, inside the transaction that writes them. */
export type OnMonthsWritten = (trx: Transaction<Schema>, months: readonly CreditsUsed[]) => Promise<void>;

/** Creates the store; `onWritten` runs in each transaction that writes months. */
export function createUsageStore(db: Db, onWritten: OnMonthsWritten = async () => {}): UsageStore {
  // Loads all cycles of an account, newest first: there is only one a month.
  const monthsOf = readByKey(
    db,
    (accountId) =>
      db.read.selectFrom('usage').selectAll().where('account_id', '=', accountId).orderBy('cycle_start', 'desc'),
    (row) => row.account_id,
  );
  const changed = rowsParameter(db, { account_id: 'text', cycle_start: 'bigint', used: 'bigint' });
  // Compiled once, because building the statement for each flush is expensive.
  // Every transaction locks rows in the same order, so that two instances cannot deadlock.
  const addAll = sql`
    insert into usage (account_id, cycle_start, used)
    select account_id, cycle_start, used from ${changed.table()} changed where true order by 1, 2
    on conflict (account_id, cycle_start) do update set used = usage.used + excluded.used`.compile(db.read);
  return {
    async newest(accountId, latestStartMs) {
      const months = await monthsOf(accountId);
      const row = months.find((month) => month.cycle_start <= latestStartMs);
      return row === undefined ? null : { startMs: row.cycle_start, used: row.used };
    },
    async add(changes) {
      const rows = changes.map(({ accountId, startMs, usedBefore, used }) => {
        return { account_id: accountId, cycle_start: startMs, used: used - usedBefore };
      });
      await db.background.transaction(async (trx) => {
        await trx.executeQuery(withParameters(addAll, changed.encode(rows)));
        await onWritten(trx, changes);
      });
    },
  };
}
