import { sql } from 'kysely';

import { databaseClock } from '../../db/database-clock.ts';
import type { Db } from '../../db/db.ts';

/** A process and the lists it uses. */
export interface ListUser {
  readonly host: string;
  /** The release it runs. */
  readonly version: string;
  readonly fingerprint: string;
  readonly builtAt: string;
  readonly seenAtMs: number;
}

/** Stores which process uses which lists. */
export interface ListUsersStore {
  /** Records which lists a process uses now, and removes processes that were last seen more than a day ago. */
  note(id: string, user: Omit<ListUser, 'seenAtMs'>): Promise<void>;
  /** Removes a process that ends. */
  leave(id: string): Promise<void>;
  /** Last seen first. */
  list(): Promise<ListUser[]>;
}

const forgottenAfterMs = 86_400_000;

export function createListUsersStore(db: Db): ListUsersStore {
  const clock = databaseClock(db.engine);
  return {
    async note(id, { host, version, fingerprint, builtAt }) {
      await db.transaction(async (trx) => {
        await sql`insert into list_users (id, host, version, fingerprint, built_at, seen_at)
          values (${id}, ${host}, ${version}, ${fingerprint}, ${builtAt}, ${clock})
          on conflict (id) do update set fingerprint = excluded.fingerprint, built_at = excluded.built_at,
            seen_at = excluded.seen_at`.execute(trx);
        await trx
          .deleteFrom('list_users')
          .where('seen_at', '<', sql<number>`${clock} - ${sql.lit(forgottenAfterMs)}`)
          .execute();
      });
    },
    async leave(id) {
      await db.write.deleteFrom('list_users').where('id', '=', id).execute();
    },
    list: () =>
      db.read
        .selectFrom('list_users')
        .select(['host', 'version', 'fingerprint', 'built_at as builtAt', 'seen_at as seenAtMs'])
        .orderBy('seen_at', 'desc')
        .execute(),
  };
}
