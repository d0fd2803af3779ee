import { sql } from 'kysely';
import type { Db } from './db.ts';
import { lockRows } from './row-locks.ts';

/** Tables of compressed blocks: a number, the span of keys in the block, and its body. */
export type BlockTable = 'decision_segments' | 'seen_blocks' | 'traffic_blocks';

/** The compressed rows of a block; null when it was removed or is damaged. */
export async function readBody({ read, damagedBlocks }: Db, table: BlockTable, no: number): Promise<Uint8Array | null> {
  const { rows } = await sql<{ body: Uint8Array }>`select body from ${sql.table(table)} where no = ${no}`.execute(read);
  const body = rows[0]?.body;
  return body !== undefined && damagedBlocks.check({ table, name: no }, body) ? body : null;
}

/**
 * Changes a block that no other process changes meanwhile; null from `change` leaves it unchanged, 'empty' removes it. Returns whether it
 * was readable.
 */
export async function rewriteBlock<Columns extends object>(
  db: Db,
  table: BlockTable,
  no: number,
  change: (body: Uint8Array) => Columns | 'empty' | null,
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const query = trx.selectFrom<BlockTable>(table).select('body').where('no', '=', no);
    const row = await lockRows(db, query, 'update').executeTakeFirst();
    if (row !== undefined && !db.damagedBlocks.check({ table, name: no }, row.body)) return false;
    const changed = row === undefined ? null : change(row.body);
    if (changed === null) return true;
    if (changed === 'empty') {
      await sql`delete from ${sql.table(table)} where no = ${no}`.execute(trx);
      return true;
    }
    const columns = Object.entries(changed).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    await sql`update ${sql.table(table)} set ${sql.join(columns)} where no = ${no}`.execute(trx);
    return true;
  });
}
