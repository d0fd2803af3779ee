import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Stores the threshold that a wave exceeded: it depends on the rates of that moment. */
export const waveThreshold: Migration = {
  id: '0006-wave-threshold',
  async up(db) {
    await sql`alter table waves add column threshold integer`.execute(db);
  },
};
