import type { Db } from '../db/db.ts';
import type { Owner } from '../http/endpoint.ts';

/** Reads the ids of an owner's gates, newest first. */
export type GateIds = (owner: Owner) => Promise<string[]>;

export function createGateIds(db: Db): GateIds {
  return async ({ accountId, environment }) => {
    const rows = await db.read
      .selectFrom('gates')
      .select('id')
      .where('account_id', '=', accountId)
      .where('environment', '=', environment)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ id }) => id);
  };
}
