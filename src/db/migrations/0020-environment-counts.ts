import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Decisions of all gates of an environment by hour: those of a hundred gates take too long to add up. */
export const environmentCounts: Migration = {
  id: '0020-environment-counts',
  async up(db) {
    await db.schema
      .createTable('environment_counts')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('allow', 'bigint', (column) => column.notNull())
      .addColumn('block', 'bigint', (column) => column.notNull())
      .addColumn('challenge', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('environment_counts_pkey', ['account_id', 'environment', 'hour'])
      .execute();
    await db.schema.createIndex('environment_counts_hour').on('environment_counts').column('hour').execute();
    const of = (action: string) => sql`sum(case when action = ${sql.lit(action)} then decisions else 0 end)`;
    await sql`
      insert into environment_counts (account_id, environment, hour, allow, block, challenge)
      select account_id, environment, hour, ${of('allow')}, ${of('block')}, ${of('challenge')}
      from decision_counts join gates on gates.id = decision_counts.gate_id
      group by account_id, environment, hour`.execute(db);
  },
};
