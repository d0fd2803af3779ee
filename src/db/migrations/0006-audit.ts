import type { Migration } from '../migrate.ts';

/** Who changed what, when and from where; and of keys, when they end and when they were last used. */
export const audit: Migration = {
  id: '0006-audit',
  async up(db) {
    // No reference to accounts: what was done to one outlives it.
    await db.schema
      .createTable('audit')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actor_kind', 'text', (column) => column.notNull())
      .addColumn('actor_id', 'text', (column) => column.notNull())
      .addColumn('actor_from', 'text')
      .addColumn('account_id', 'text')
      .addColumn('environment', 'text')
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('audit_at').on('audit').columns(['at', 'id']).execute();
    await db.schema.createIndex('audit_account').on('audit').columns(['account_id', 'at', 'id']).execute();
    await db.schema.alterTable('keys').addColumn('expires_at', 'bigint').execute();
    await db.schema.alterTable('keys').addColumn('last_used_at', 'bigint').execute();
  },
};
