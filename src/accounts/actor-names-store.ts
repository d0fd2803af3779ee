import type { Db } from '../db/db.ts';

/** The names of those who change things. */
export interface ActorNamesStore {
  /** The names of some keys by their ids; one without a name is known by how it begins and ends. */
  ofKeys(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The addresses of some users by their ids. */
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
