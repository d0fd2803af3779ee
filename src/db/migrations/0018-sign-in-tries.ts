import type { Migration } from '../migrate.ts';

/** Tries to sign in, counted by all processes together. */
export const signInTries: Migration = {
  id: '0018-sign-in-tries',
  async up(db) {
    await db.schema
      .createTable('sign_in_tries')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('forget_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('sign_in_tries_forget_at').on('sign_in_tries').column('forget_at').execute();
  },
};
