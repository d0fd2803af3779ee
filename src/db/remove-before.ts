import { sql } from 'kysely';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { Db } from './db.ts';
import type { Schema } from './schema.ts';

/** Rows in one statement, which takes the embedded database a few milliseconds. */
const rowsPerStatement = 500;

/** Removes rows older than a moment in several statements; requests are served in between. */
export async function removeBefore<Table extends keyof Schema & string>(
  db: Db,
  table: Table,
  time: keyof Schema[Table] & string,
  beforeMs: number,
): Promise<void> {
  const rowId = sql.raw(db.engine === 'postgres' ? 'ctid' : 'rowid');
  const old = sql`select ${rowId} from ${sql.table(table)} where ${sql.ref(time)} < ${beforeMs} limit ${rowsPerStatement}`;
  const isOld = db.engine === 'postgres' ? sql`${rowId} = any(array(${old}))` : sql`${rowId} in (${old})`;
  const removal = sql`delete from ${sql.table(table)} where ${isOld}`.compile(db.read);
  for (;;) {
    const { numAffectedRows } = await db.background.write.executeQuery(removal);
    if (Number(numAffectedRows ?? 0) < rowsPerStatement) return;
    // Otherwise SQLite's log grows until SQLite checkpoints it in the middle of a commit.
    await db.fsync();
    await yieldToEventLoop();
  }
}
