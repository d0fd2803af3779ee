import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * Waves of more kinds, whose decisions are appended instead of rewritten. Counts and hours of the last days have another format now:
 * they start over.
 */
export const waves: Migration = {
  id: '0005-waves',
  async up(db, engine) {
    const bytes = engine === 'postgres' ? 'bytea' : 'blob';
    const statements = [
      'delete from traffic_blocks',
      'delete from traffic_hours',
      'alter table waves drop column members',
      'alter table waves drop column by_spellings',
      'alter table waves add column slow integer default 0 not null',
      'alter table waves add column stopped integer default 0 not null',
      "alter table waves add column shared_values text default '[]' not null",
      "alter table waves add column links text default '[]' not null",
      'alter table waves add column above_until bigint default 0 not null',
      'alter table waves add column counted_through bigint default 0 not null',
      `create table wave_members (
        wave_id text not null, no integer not null, body ${bytes} not null, primary key (wave_id, no))`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
