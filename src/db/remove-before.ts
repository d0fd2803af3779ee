import { sql } from 'kysely';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { Db } from './db.ts';
import type { Schema } from './schema.ts';

/** Rows in one statement, a few milliseconds of the embedded database. */
const rowsAtOnce = 500;

/** Removes the rows of before a moment, some at a time; requests are served between two statements, not during one. */
export async function removeBefore<Table extends keyof Schema & string>(
  db: Db,
  table: Table,
  time: keyof Schema[Table] & string,
  beforeMs: number,
): Promise<void> {
  const rowId = sql.raw(db.engine === 'postgres' ? 'ctid' : 'rowid');
  const old = sql`select ${rowId} from ${sql.table(table)} where ${sql.ref(time)} < ${beforeMs} limit ${rowsAtOnce}`;
  const isOld = db.engine === 'postgres' ? sql`${rowId} = any(array(${old}))` : sql`${rowId} in (${old})`;
  const removal = sql`delete from ${sql.table(table)} where ${isOld}`.compile(db.read);
  for (;;) {
    const { numAffectedRows } = await db.background.write.executeQuery(removal);
    if (Number(numAffectedRows ?? 0) < rowsAtOnce) return;
    // SQLite's log would grow faster than it is copied back, until SQLite did that itself in the middle of a commit.
    await db.settle();
    await yieldToEventLoop();
  }
}
