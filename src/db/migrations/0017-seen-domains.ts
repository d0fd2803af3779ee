import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * Which domains an environment saw, by day: as rows while the day lasts, then as compressed blocks. And what its webhooks were told of
 * them.
 */
export const seenDomains: Migration = {
  id: '0017-seen-domains',
  async up(db, engine) {
    const isPostgres = engine === 'postgres';
    const number = isPostgres ? 'bigint' : 'integer';
    const bytes = isPostgres ? sql`bytea` : sql`blob`;
    // Rows are read in the order of the bytes, which is what SQLite does without being told.
    const name = isPostgres ? sql`text collate "C"` : sql`text`;
    await db.schema
      .createTable('seen_domains')
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('name', name, (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('flagged', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('seen_domains_pkey', ['day', 'name', 'account_id', 'environment'])
      // The key is nearly the whole row: one tree instead of two.
      .$call((table) => (isPostgres ? table : table.modifyEnd(sql`without rowid`)))
      .execute();
    await db.schema
      .createTable('seen_blocks')
      .addColumn('no', number, (column) =>
        isPostgres ? column.primaryKey().generatedAlwaysAsIdentity() : column.primaryKey().autoIncrement(),
      )
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('first_name', 'text', (column) => column.notNull())
      .addColumn('last_name', 'text', (column) => column.notNull())
      .addColumn('entries', 'integer', (column) => column.notNull())
      .addColumn('body', bytes, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('seen_blocks_day').on('seen_blocks').column('day').execute();
    await db.schema
      .createTable('flagged_domains')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('flagged_domains_pkey', ['account_id', 'environment', 'domain', 'kind'])
      .execute();
    await db.schema.createIndex('flagged_domains_day').on('flagged_domains').column('day').execute();
    await db.schema
      .createTable('flag_suspects')
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('noted_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('flag_suspects_pkey', ['domain', 'kind'])
      .execute();
    await db.schema
      .createTable('flag_comparisons')
      .addColumn('subject', 'text', (column) => column.primaryKey())
      .addColumn('compared', 'text', (column) => column.notNull())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('held_until', 'bigint', (column) => column.notNull())
      .execute();
  },
};
