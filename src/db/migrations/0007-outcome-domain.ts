import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Stores the registrable domain of each outcome's decision: a domain with a bad outcome is not established. Earlier outcomes have none. */
export const outcomeDomain: Migration = {
  id: '0007-outcome-domain',
  async up(db) {
    await sql`alter table decision_outcomes add column domain text`.execute(db);
    await sql`create index decision_outcomes_bad on decision_outcomes (domain, gate_id) where outcome = 'bad'`.execute(
      db,
    );
  },
};
