import type { Migration } from '../migrate.ts';

/** What each decision of a gate holds for. */
export const gateWait: Migration = {
  id: '0007-gate-wait',
  async up(db) {
    await db.schema
      .alterTable('gates')
      .addColumn('wait', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
  },
};
