import type { Migration } from '../migrate.ts';

/** Who compares what is flagged with what was seen is a lease on work like others. */
export const flagComparisonLeases: Migration = {
  id: '0021-flag-comparison-leases',
  async up(db) {
    for (const column of ['holder', 'held_until']) {
      await db.schema.alterTable('flag_comparisons').dropColumn(column).execute();
    }
  },
};
