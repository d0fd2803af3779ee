import { databaseClock } from './database-clock.ts';
import type { Db } from './db.ts';
import type { WorkLeases } from './work-leases.ts';

/** Compares the `SECRET_KEY` of this process with those of the other processes of the database. */
export interface SecretKeys {
  /** Whether a process with another key has used the database in the last minute. */
  differ(): Promise<boolean>;
  /** Called when this process stops. */
  release(): Promise<void>;
}

const prefix = 'secret-key ';
/** Processes that were killed count for this long. */
const leaseMs = 60_000;

/** One of the processes with the same key holds the lease that is named after the key's fingerprint. */
export function createSecretKeys(db: Db, leases: WorkLeases): SecretKeys {
  const clock = databaseClock(db.engine);
  const own = (): string => prefix + db.secrets.fingerprint();
  return {
    async differ() {
      await leases.acquire(own(), leaseMs);
      await db.write
        .deleteFrom('work_leases')
        .where('name', 'like', `${prefix}%`)
        .where('ends_at', '<', clock)
        .execute();
      const others = db.read.selectFrom('work_leases').select('name').where('name', 'like', `${prefix}%`);
      return (await others.where('name', '!=', own()).executeTakeFirst()) !== undefined;
    },
    release: () => leases.release(own()),
  };
}
