import { sql } from 'kysely';
import type { Db } from '../db/db.ts';

/** Credits used per account and billing cycle, in the database. */
export interface UsageStore {
  /** The newest cycle that was counted and starts no later than `latestStartMs`. */
  newest(accountId: string, latestStartMs: number): Promise<{ startMs: number; used: number } | null>;
  /** Adds to several counters in one transaction; the new totals, in the same order. */
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
    add: (changes) =>
      db.transaction(async (trx) => {
        const totals: number[] = [];
        for (const { accountId, startMs, credits } of changes) {
          const row = await trx
            .insertInto('usage')
            .values({ account_id: accountId, cycle_start: startMs, used: credits })
            .onConflict((conflict) =>
              conflict.columns(['account_id', 'cycle_start']).doUpdateSet({ used: sql`usage.used + excluded.used` }),
            )
            .returning('used')
            .executeTakeFirstOrThrow();
          totals.push(row.used);
        }
        return totals;
      }),
  };
}
