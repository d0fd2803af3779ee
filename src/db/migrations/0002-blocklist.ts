import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** The customers' own lists: a row per list, its entries, their counts by block, and the removals of late. */
export const blocklist: Migration = {
  id: '0002-blocklist',
  async up(db, engine) {
    await db.schema
      .createTable('blocklists')
      .addColumn('id', 'integer', (column) =>
        engine === 'postgres' ? column.primaryKey().generatedAlwaysAsIdentity() : column.primaryKey().autoIncrement(),
      )
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addColumn('last_seq', 'bigint', (column) => column.notNull())
      .addColumn('pruned_through', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('blocklists_owner', ['account_id', 'environment'])
      .execute();
    // Without a rowid SQLite keeps the entries themselves in the order of the key, one tree less to write.
    const storage = engine === 'sqlite' ? sql`without rowid` : sql``;
    await db.schema
      .createTable('blocklist_entries')
      .addColumn('list_id', 'integer', (column) => column.notNull())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('blocklist_entries_pkey', ['list_id', 'seq'])
      .modifyEnd(storage)
      .execute();
    await db.schema
      .createIndex('blocklist_entries_domain')
      .unique()
      .on('blocklist_entries')
      .columns(['list_id', 'domain'])
      .execute();
    await db.schema
      .createTable('blocklist_counts')
      .addColumn('list_id', 'integer', (column) => column.notNull())
      .addColumn('level', 'integer', (column) => column.notNull())
      .addColumn('block', 'bigint', (column) => column.notNull())
      .addColumn('entries', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('blocklist_counts_pkey', ['list_id', 'level', 'block'])
      .modifyEnd(storage)
      .execute();
    await db.schema
      .createTable('blocklist_removals')
      .addColumn('list_id', 'integer', (column) => column.notNull())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('removed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('blocklist_removals_pkey', ['list_id', 'seq'])
      .modifyEnd(storage)
      .execute();
  },
};
