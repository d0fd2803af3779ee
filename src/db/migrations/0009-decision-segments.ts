import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * The log as sealed segments. What was logged before keeps its table and indexes under another name and is sealed in the
 * background: no row is touched here, however many there are.
 */
export const decisionSegments: Migration = {
  id: '0009-decision-segments',
  async up(db, engine) {
    const number = engine === 'postgres' ? 'bigint' : 'integer';
    const bytes = engine === 'postgres' ? sql`bytea` : sql`blob`;
    await db.schema.alterTable('decisions').renameTo('old_decisions').execute();
    await db.schema
      .createTable('decisions')
      .addColumn('gate_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('rule_id', 'text')
      .addColumn('email_key', 'text')
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('ip', 'text')
      .addColumn('entry', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('recent_decisions_id').on('decisions').column('id').execute();
    await db.schema.createIndex('recent_decisions_gate').on('decisions').columns(['gate_id', 'id']).unique().execute();
    await db.schema
      .createTable('decision_segments')
      .addColumn('no', number, (column) =>
        engine === 'postgres' ? column.primaryKey().generatedAlwaysAsIdentity() : column.primaryKey().autoIncrement(),
      )
      .addColumn('first_id', 'text', (column) => column.notNull())
      .addColumn('last_id', 'text', (column) => column.notNull())
      .addColumn('body', bytes, (column) => column.notNull())
      .execute();
    for (const column of ['first_id', 'last_id']) {
      await db.schema.createIndex(`decision_segments_${column}`).on('decision_segments').column(column).execute();
    }
    await db.schema
      .createTable('decision_buckets')
      .addColumn('bucket', number, (column) => column.primaryKey())
      .addColumn('merged', 'integer', (column) => column.notNull())
      .addColumn('first_id', 'text', (column) => column.notNull())
      .addColumn('last_id', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('decision_terms')
      .addColumn('bucket', number, (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('terms', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('decision_terms_pkey', ['bucket', 'part'])
      .execute();
  },
};
