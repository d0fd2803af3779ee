import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** SQLite stored every key of `seen_days` twice; the index by day grew with every new domain, and is not needed to remove old rows. */
export const seenDays: Migration = {
  id: '0008-seen-days',
  async up(db, engine) {
    await sql`drop index seen_days_last_day`.execute(db);
    if (engine === 'postgres') return;
    for (const statement of [
      `create table seen_days_by_key (
        key text primary key, last_day integer not null, days bigint not null, older_day integer) without rowid`,
      'insert into seen_days_by_key select key, last_day, days, older_day from seen_days order by key',
      'drop table seen_days',
      'alter table seen_days_by_key rename to seen_days',
    ])
      await sql.raw(statement).execute(db);
  },
};
