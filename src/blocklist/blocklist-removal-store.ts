import type { Db } from '../db/db.ts';

/** Removes the blocklists of an account with everything in them, `rowsAtOnce` rows in a statement. */
export async function removeBlocklists(db: Db, accountId: string, rowsAtOnce: number): Promise<void> {
  const lists = await db.read.selectFrom('blocklists').select('id').where('account_id', '=', accountId).execute();
  for (const { id } of lists) {
    for (const table of ['blocklist_entries', 'blocklist_removals'] as const) {
      while ((await removeSome(db, table, id, rowsAtOnce)) > 0);
    }
    await db.write.deleteFrom('blocklist_counts').where('list_id', '=', id).execute();
    await db.write.deleteFrom('blocklists').where('id', '=', id).execute();
  }
}

async function removeSome(
  db: Db,
  table: 'blocklist_entries' | 'blocklist_removals',
  listId: number,
  limit: number,
): Promise<bigint> {
  const some = db.write.selectFrom(table).select('seq').where('list_id', '=', listId).orderBy('seq').limit(limit);
  const gone = db.write.deleteFrom(table).where('list_id', '=', listId).where('seq', 'in', some);
  return (await gone.executeTakeFirst()).numDeletedRows;
}
