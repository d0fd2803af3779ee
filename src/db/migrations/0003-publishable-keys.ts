import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Adds the restrictions of publishable keys. */
export const publishableKeys: Migration = {
  id: '0003-publishable-keys',
  async up(db) {
    await sql`alter table keys add column publishable text`.execute(db);
  },
};
