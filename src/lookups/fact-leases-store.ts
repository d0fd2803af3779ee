import { sql } from 'kysely';
import { databaseClock } from '../db/database-clock.ts';
import type { Db } from '../db/db.ts';

/** Which process is asking the network about a domain, in the database. */
export interface FactLeasesStore {
  /** Whether this process is the one to ask; one that died keeps others waiting for `leaseMs`. */
  take(domain: string): Promise<boolean>;
  /** It has asked. */
  end(domains: readonly string[]): Promise<void>;
}

/** Longer than anybody waits for an answer. */
const leaseMs = 5_000;

export function createFactLeasesStore(db: Db, holder: string): FactLeasesStore {
  const clock = databaseClock(db.engine);
  return {
    async take(domain) {
      const { rows } = await sql`
        insert into fact_leases (domain, holder, ends_at) values (${domain}, ${holder}, ${clock} + ${sql.lit(leaseMs)})
        on conflict (domain) do update set holder = excluded.holder, ends_at = excluded.ends_at
        where fact_leases.holder = excluded.holder or fact_leases.ends_at < ${clock}
        returning domain`.execute(db.write);
      return rows.length > 0;
    },
    async end(domains) {
      if (domains.length === 0) return;
      await db.write.deleteFrom('fact_leases').where('domain', 'in', domains).where('holder', '=', holder).execute();
    },
  };
}
