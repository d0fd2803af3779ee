import type { Migration } from '../migrate.ts';

/** What was learnt from the network about domains, kept so that a restart or another instance need not ask again. */
export const facts: Migration = {
  id: '0003-facts',
  async up(db) {
    await db.schema
      .createTable('facts')
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('learnt_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('facts_pkey', ['domain', 'kind'])
      .execute();
    await db.schema.createIndex('facts_learnt_at').on('facts').column('learnt_at').execute();
  },
};
