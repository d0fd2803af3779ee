import type { Db } from '../db/db.ts';
import { ownedBy } from '../db/owned-by.ts';
import type { Owner } from '../http/endpoint.ts';

/** Reads the ids of an owner's gates, newest first. */
export type GateIds = (owner: Owner) => Promise<string[]>;

export function createGateIds(db: Db): GateIds {
  return async (owner) => {
    const rows = await db.read.selectFrom('gates').select('id').where(ownedBy(owner)).orderBy('id', 'desc').execute();
    return rows.map(({ id }) => id);
  };
}
