import type { Migration } from '../migrate.ts';

/** Who may come into the console: users, their sessions, and the links that let them in once. */
export const users: Migration = {
  id: '0011-users',
  async up(db) {
    await db.schema
      .createTable('users')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('password', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('signed_in_at', 'bigint')
      .execute();
    await db.schema.createIndex('users_account_id').on('users').column('account_id').execute();
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
      .addColumn('by_link', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('came_from', 'text', (column) => column.notNull())
      .addColumn('agent', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('sessions_user_id').on('sessions').column('user_id').execute();
    await db.schema.createIndex('sessions_seen_at').on('sessions').column('seen_at').execute();
    await db.schema
      .createTable('sign_in_links')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').unique())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
