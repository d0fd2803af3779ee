import type { Migration } from '../migrate.ts';

/**
 * Every state a gate has had, numbered from 1. A gate that was there before has the number 0, and its state is kept when it is
 * first changed: no row is touched here.
 */
export const gateRevisions: Migration = {
  id: '0010-gate-revisions',
  async up(db) {
    await db.schema
      .alterTable('gates')
      .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('gate_revisions')
      .addColumn('gate_id', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('actor_kind', 'text')
      .addColumn('actor_id', 'text')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('default_action', 'text', (column) => column.notNull())
      .addColumn('rules_count', 'integer', (column) => column.notNull())
      .addColumn('changes', 'text', (column) => column.notNull())
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('gate_revisions_pkey', ['gate_id', 'revision'])
      .execute();
  },
};
