import type { Migration } from '../migrate.ts';

/** Which processes share the database, and what each of them may still grant of an account's month. */
export const creditLeases: Migration = {
  id: '0012-credit-leases',
  async up(db) {
    await db.schema
      .createTable('instances')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
    // No reference to accounts or instances: a row that nobody needs any more is harmless and goes in time.
    await db.schema
      .createTable('credit_leases')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('cycle_start', 'bigint', (column) => column.notNull())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('granted', 'bigint', (column) => column.notNull())
      .addColumn('spent', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('credit_leases_pkey', ['account_id', 'cycle_start', 'holder'])
      .execute();
    await db.schema.createIndex('credit_leases_holder').on('credit_leases').column('holder').execute();
  },
};
