import { sql } from 'kysely';
import { databaseClock } from '../database-clock.ts';
import type { Db } from '../db.ts';

/** Lets one of the processes that share a database do a piece of work, for a while; by the clock of the database. */
export interface WorkLeases {
  /** Whether the holder has the work for the next `forMs`; asking again while one has it makes that longer. */
  take(name: string, forMs: number): Promise<boolean>;
  /** Leaves the work to others. */
  end(name: string): Promise<void>;
}

/** The leases of the process that is called `holder`. */
export function createWorkLeases(db: Db, holder: string): WorkLeases {
  const clock = databaseClock(db.engine);
  return {
    async take(name, forMs) {
      const { rows } = await sql`
        insert into work_leases (name, holder, ends_at) values (${name}, ${holder}, ${clock} + ${sql.lit(forMs)})
        on conflict (name) do update set holder = excluded.holder, ends_at = excluded.ends_at
        where work_leases.holder = excluded.holder or work_leases.ends_at < ${clock}
        returning name`.execute(db.write);
      return rows.length > 0;
    },
    async end(name) {
      await db.write.deleteFrom('work_leases').where('name', '=', name).where('holder', '=', holder).execute();
    },
  };
}
