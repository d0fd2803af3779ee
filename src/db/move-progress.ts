import { sql } from 'kysely';
import type { Db } from './db.ts';

/** Creates, in the target until the move is complete, a table with the key of the last copied row of each table, as JSON. */
export async function createMoveProgress(target: Db): Promise<void> {
  await sql`create table if not exists move_progress (name text primary key, copied_through text not null)`.execute(
    target.write,
  );
}

/** Whether a PostgreSQL has rows of a move that has not finished. */
export async function hasMoveProgress({ read }: Pick<Db, 'read'>): Promise<boolean> {
  const { rows: tables } = await sql`
    select 1 from pg_tables where tablename = 'move_progress' and schemaname = current_schema()`.execute(read);
  if (tables.length === 0) return false;
  const { rows } = await sql`select 1 from move_progress limit 1`.execute(read);
  return rows.length > 0;
}
