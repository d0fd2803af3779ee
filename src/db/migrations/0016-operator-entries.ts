import type { Migration } from '../migrate.ts';

/** The operator's own list entries, which used to be files in the data directory of each instance. */
export const operatorEntries: Migration = {
  id: '0016-operator-entries',
  async up(db) {
    await db.schema
      .createTable('operator_entries')
      .addColumn('list', 'text', (column) => column.notNull())
      .addColumn('entry', 'text', (column) => column.notNull())
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('operator_entries_pkey', ['list', 'entry'])
      .execute();
  },
};
