import type { Db } from '../db/db.ts';

/** Display names of the actors in the audit trail. */
export interface ActorNamesStore {
  /** Key names by key id; for a key without a name, its prefix and last four characters. */
  ofKeys(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Email addresses by user id. */
  ofUsers(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export function createActorNamesStore(db: Db): ActorNamesStore {
  return {
    async ofKeys(ids) {
      if (ids.length === 0) return new Map();
      const query = db.read.selectFrom('keys').select(['id', 'name', 'prefix', 'last4']);
      const rows = await query.where('id', 'in', [...new Set(ids)]).execute();
      return new Map(rows.map(({ id, name, prefix, last4 }) => [id, name ?? `${prefix}…${last4}`]));
    },
    async ofUsers(ids) {
      if (ids.length === 0) return new Map();
      const query = db.read.selectFrom('users').select(['id', 'email']);
      const rows = await query.where('id', 'in', [...new Set(ids)]).execute();
      return new Map(rows.map(({ id, email }) => [id, email]));
    },
  };
}
