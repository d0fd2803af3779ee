import type { Db } from '../db/db.ts';

/** Removes an account's blocklists with all entries, `batchSize` rows per statement. */
export async function removeBlocklists(db: Db, accountId: string, batchSize: number): Promise<void> {
  const lists = await db.read.selectFrom('blocklists').select('id').where('account_id', '=', accountId).execute();
  for (const { id } of lists) {
    for (const table of ['blocklist_entries', 'blocklist_removals'] as const) {
      while ((await removeBatch(db, table, id, batchSize)) > 0);
    }
    await db.write.deleteFrom('blocklist_counts').where('list_id', '=', id).execute();
    await db.write.deleteFrom('blocklists').where('id', '=', id).execute();
  }
}

async function removeBatch(
  db: Db,
  table: 'blocklist_entries' | 'blocklist_removals',
  listId: number,
  limit: number,
): Promise<bigint> {
  const batch = db.write.selectFrom(table).select('seq').where('list_id', '=', listId).orderBy('seq').limit(limit);
  const deletion = db.write.deleteFrom(table).where('list_id', '=', listId).where('seq', 'in', batch);
  return (await deletion.executeTakeFirst()).numDeletedRows;
}
