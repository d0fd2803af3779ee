import { sql } from 'kysely';
import { databaseClock } from './database-clock.ts';
import type { Db } from './db.ts';

/** Named locks on work that one process at a time does, held for a limited time by the clock of the database. */
export interface WorkLeases {
  /** Whether this process holds the lease for the next `forMs`; a holder that acquires it again extends it. */
  acquire(name: string, forMs: number): Promise<boolean>;
  /** Makes the lease free, unless another process holds it. */
  release(name: string): Promise<void>;
  /**
   * Does the work unless another process holds the lease; whether it was done. The work calls `renew` between its steps, which
   * extends the lease when a third of its time is over, and throws when another process has acquired it since.
   */
  hold(name: string, forMs: number, work: (renew: () => Promise<void>) => Promise<void>): Promise<boolean>;
}

/** The leases of the process that is called `holder`. */
export function createWorkLeases(db: Db, holder: string, monotonicMs: () => number): WorkLeases {
  const clock = databaseClock(db.engine);
  const acquire: WorkLeases['acquire'] = async (name, forMs) => {
    const { rows } = await sql`
      insert into work_leases (name, holder, ends_at) values (${name}, ${holder}, ${clock} + ${sql.lit(forMs)})
      on conflict (name) do update set holder = excluded.holder, ends_at = excluded.ends_at
      where work_leases.holder = excluded.holder or work_leases.ends_at < ${clock}
      returning name`.execute(db.write);
    return rows.length > 0;
  };
  const release: WorkLeases['release'] = async (name) => {
    await db.write.deleteFrom('work_leases').where('name', '=', name).where('holder', '=', holder).execute();
  };
  return {
    acquire,
    release,
    async hold(name, forMs, work) {
      if (!(await acquire(name, forMs))) return false;
      let acquiredAtMs = monotonicMs();
      const renew = async (): Promise<void> => {
        if (monotonicMs() - acquiredAtMs < forMs / 3) return;
        acquiredAtMs = monotonicMs();
        if (!(await acquire(name, forMs))) throw new Error(`another process acquired the lease "${name}"`);
      };
      try {
        await work(renew);
      } finally {
        await release(name);
      }
      return true;
    },
  };
}
