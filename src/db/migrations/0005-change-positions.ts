import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * Changes are found by a position that the database itself gives, not by the clock of whoever wrote them: PostgreSQL by the
 * number of the transaction, SQLite, where writers take turns, by counting.
 */
export const changePositions: Migration = {
  id: '0005-change-positions',
  async up(db, engine) {
    await db.schema.dropIndex('changes_changed_at').execute();
    const position = engine === 'postgres' ? sql`(pg_current_xact_id()::text::bigint)` : sql`0`;
    await db.schema
      .alterTable('changes')
      .addColumn('position', 'bigint', (column) => column.notNull().defaultTo(position))
      .execute();
    await db.schema.createIndex('changes_position').on('changes').column('position').execute();
    if (engine === 'postgres') return;
    // The statement has put 0 where the trigger finds the row; what stood there before may have been the highest.
    const events = { insert: sql`0`, 'update of revision': sql`old.position` };
    for (const [event, before] of Object.entries(events)) {
      await sql`
        create trigger ${sql.id(`changes_position_${event.split(' ')[0]}`)} after ${sql.raw(event)} on changes
        begin
          update changes set position = 1 + max(${before}, (select max(position) from changes))
          where topic = new.topic and scope = new.scope;
        end`.execute(db);
    }
  },
};
