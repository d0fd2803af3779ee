import { sql } from 'kysely';
import type { Db } from './db.ts';
import { lockRows } from './row-locks.ts';

/** Tables of compressed blocks: a number, the span of keys in the block, and its body. */
export type BlockTable = 'decision_segments' | 'seen_blocks' | 'traffic_blocks';

/** The compressed rows of a block; null when it was removed. */
export async function readBody({ read }: Db, table: BlockTable, no: number): Promise<Uint8Array | null> {
  const { rows } = await sql<{ body: Uint8Array }>`select body from ${sql.table(table)} where no = ${no}`.execute(read);
  return rows[0]?.body ?? null;
}

/** Changes a block that no other process changes meanwhile; null from `change` leaves it unchanged, 'empty' removes it. */
export async function rewriteBlock<Columns extends object>(
  db: Db,
  table: BlockTable,
  no: number,
  change: (body: Uint8Array) => Columns | 'empty' | null,
): Promise<void> {
  await db.transaction(async (trx) => {
    const query = trx.selectFrom<BlockTable>(table).select('body').where('no', '=', no);
    const row = await lockRows(db, query, 'update').executeTakeFirst();
    const changed = row === undefined ? null : change(row.body);
    if (changed === null) return;
    if (changed === 'empty') {
      await sql`delete from ${sql.table(table)} where no = ${no}`.execute(trx);
      return;
    }
    const columns = Object.entries(changed).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    await sql`update ${sql.table(table)} set ${sql.join(columns)} where no = ${no}`.execute(trx);
  });
}
