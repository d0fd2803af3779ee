import { sql } from 'kysely';
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

/** A delivery may have half a million characters. */
const rowsAtOnce = 20;

/** Rewrites the stored deliveries to an account's webhooks: event data and the receivers' responses. */
export async function rewriteDeliveries(db: Db, accountId: string, rewrite: (text: string) => string): Promise<void> {
  const webhooks = db.read.selectFrom('webhooks').select('id').where('account_id', '=', accountId);
  for (const webhook of await webhooks.execute()) {
    const deliveries = db.read
      .selectFrom('webhook_deliveries')
      .select(['id', 'data', 'response_body'])
      .where('webhook_id', '=', webhook.id);
    for (let after = ''; ; ) {
      const rows = await deliveries.where('id', '>', after).orderBy('id').limit(rowsAtOnce).execute();
      for (const { id, data, response_body: body } of rows) {
        const delivery = db.write.updateTable('webhook_deliveries').where('id', '=', id);
        const newData = rewrite(data);
        // Decisions may have been appended since the data was read.
        const appended = sql<string>`cast(${newData} as text) || substr(data, length(cast(${data} as text)) + 1)`;
        if (newData !== data) await delivery.set({ data: appended }).execute();
        if (body !== null && rewrite(body) !== body) await delivery.set({ response_body: rewrite(body) }).execute();
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
  }
}
