import type { Migration } from '../migrate.ts';

/** What was looked up, counted by hour, and the domains most asked for, by quarters of a day. */
export const lookupCounts: Migration = {
  id: '0013-lookup-counts',
  async up(db) {
    await db.schema
      .createTable('lookup_counts')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('lookups', 'bigint', (column) => column.notNull())
      .addColumn('disposable', 'bigint', (column) => column.notNull())
      .addColumn('relay', 'bigint', (column) => column.notNull())
      .addColumn('no_mail', 'bigint', (column) => column.notNull())
      .addColumn('not_found_out', 'bigint', (column) => column.notNull())
      .addColumn('peak', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('lookup_counts_pkey', ['account_id', 'environment', 'hour'])
      .execute();
    await db.schema.createIndex('lookup_counts_hour').on('lookup_counts').column('hour').execute();
    await db.schema
      .createTable('lookup_domains')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('quarter', 'bigint', (column) => column.notNull())
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('lookups', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('lookup_domains_pkey', ['account_id', 'environment', 'quarter', 'domain'])
      .execute();
    await db.schema.createIndex('lookup_domains_quarter').on('lookup_domains').column('quarter').execute();
  },
};
