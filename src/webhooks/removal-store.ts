import type { Db } from '../db/db.ts';

/** Removes up to `limit` deliveries of a removed webhook, and its marker after the last one; returns how many rows it removed. */
export async function pruneRemovedDeliveries(db: Db, limit: number): Promise<number> {
  const removed = await db.read.selectFrom('removed_webhooks').select('id').orderBy('id').limit(1).executeTakeFirst();
  if (removed === undefined) return 0;
  const some = db.write
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', removed.id)
    .orderBy('id')
    .limit(limit);
  const deleted = await db.write.deleteFrom('webhook_deliveries').where('id', 'in', some).executeTakeFirst();
  if (Number(deleted.numDeletedRows) === limit) return limit;
  await db.write.deleteFrom('removed_webhooks').where('id', '=', removed.id).execute();
  return Number(deleted.numDeletedRows) + 1;
}
