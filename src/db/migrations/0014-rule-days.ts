import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Matches of rules by day besides by hour: a month of hours takes too long to add up. */
export const ruleDays: Migration = {
  id: '0014-rule-days',
  async up(db) {
    await db.schema
      .createTable('rule_days')
      .addColumn('gate_id', 'text', (column) => column.notNull())
      .addColumn('day', 'bigint', (column) => column.notNull())
      .addColumn('rule_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('matches', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('rule_days_pkey', ['gate_id', 'day', 'rule_id'])
      .execute();
    await db.schema.createIndex('rule_days_day').on('rule_days').column('day').execute();
    await sql`
      insert into rule_days (gate_id, day, rule_id, name, matches)
      select gate_id, hour - hour % 86400000, rule_id, max(name), sum(matches) from rule_counts
      where matches > 0 group by gate_id, hour - hour % 86400000, rule_id`.execute(db);
  },
};
