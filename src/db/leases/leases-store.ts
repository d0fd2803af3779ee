import { sql } from 'kysely';
import { databaseClock } from '../database-clock.ts';
import type { Db } from '../db.ts';

/** Lets one of the processes that share a database do something, for a while; by the clock of the database. */
export interface Leases {
  /** Whether the holder has it for the next `forMs`; asking again while one has it makes that longer. */
  take(name: string, forMs: number): Promise<boolean>;
  /** Leaves them to others. */
  end(...names: readonly string[]): Promise<void>;
  /** Forgets leases that are over, of processes that died before they could end them. */
  prune(): Promise<void>;
}

/** Where leases are: pieces of work, or domains that the network is asked about, which a crash of PostgreSQL may forget. */
export type LeasesTable = 'work_leases' | 'fact_leases';

/** The leases of the process that is called `holder`. */
export function createLeases(db: Db, table: LeasesTable, holder: string): Leases {
  const clock = databaseClock(db.engine);
  const leases = sql.table(table);
  return {
    async take(name, forMs) {
      const { rows } = await sql`
        insert into ${leases} (name, holder, ends_at) values (${name}, ${holder}, ${clock} + ${sql.lit(forMs)})
        on conflict (name) do update set holder = excluded.holder, ends_at = excluded.ends_at
        where ${leases}.holder = excluded.holder or ${leases}.ends_at < ${clock}
        returning name`.execute(db.write);
      return rows.length > 0;
    },
    async end(...names) {
      if (names.length === 0) return;
      await db.write.deleteFrom(table).where('name', 'in', names).where('holder', '=', holder).execute();
    },
    async prune() {
      await db.write.deleteFrom(table).where('ends_at', '<', sql<number>`${clock}`).execute();
    },
  };
}
