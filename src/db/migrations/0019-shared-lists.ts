import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Files of lists that one instance made for all, who does what alone or asks about which domain, and who uses which lists. */
export const sharedLists: Migration = {
  id: '0019-shared-lists',
  async up(db, engine) {
    await db.schema
      .createTable('work_leases')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('shared_files')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('modified_at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text')
      .addColumn('shared_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('shared_file_parts')
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('bytes', engine === 'postgres' ? sql`bytea` : sql`blob`, (column) => column.notNull())
      .addColumn('stored_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('shared_file_parts_pkey', ['sha256', 'part'])
      .execute();
    await db.schema
      .createTable('list_users')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('built_at', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
    // A crash of the database may empty it: then two processes ask.
    const unlogged = sql.raw(engine === 'postgres' ? 'unlogged' : '');
    await sql`create ${unlogged} table fact_leases (
      name text not null primary key, holder text not null, ends_at bigint not null)`.execute(db);
  },
};
