import type { Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import { removeEntriesOf } from './custom-lists-store.ts';
import { storedBytes, totalBytes } from './entry-bytes-store.ts';

/** How long an expired entry is shown. */
export const expiredShownMs = 30 * 86_400_000;
/** Rows per statement; SQLite blocks the event loop during a statement. */
const batchSize = 100;

/** Removes entries long expired, and entries of lists that are gone. */
export async function purgeEntries(db: Db, nowMs: number): Promise<void> {
  for await (const listId of listsWithEntries(db)) {
    const list = await db.read.selectFrom('custom_lists').select('id').where('id', '=', listId).executeTakeFirst();
    if (list === undefined) await removeEntriesOf(db, listId);
    else if (await hasOldEntry(db, listId, nowMs)) {
      while ((await purgeBatch(db, listId, nowMs)) === batchSize) await yieldToEventLoop();
    }
  }
}

/** The ids of lists in the entries, each found in the index: `distinct` would read all entries in one statement. */
async function* listsWithEntries({ read }: Db): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const next = read.selectFrom('custom_list_entries').select('list_id').where('list_id', '>', after);
    const found = await next.orderBy('list_id').limit(1).executeTakeFirst();
    if (found === undefined) return;
    after = found.list_id;
    yield after;
  }
}

async function hasOldEntry({ read }: Db, listId: string, nowMs: number): Promise<boolean> {
  const entries = read.selectFrom('custom_list_entries').select('key').where('list_id', '=', listId);
  return (
    (await entries
      .where('expires_at', '<=', nowMs - expiredShownMs)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

function purgeBatch(db: Db, listId: string, nowMs: number): Promise<number> {
  return db.background.transaction(async (trx) => {
    const batch = trx
      .selectFrom('custom_list_entries')
      .select('key')
      .where('list_id', '=', listId)
      .where('expires_at', '<=', nowMs - expiredShownMs)
      .limit(batchSize);
    const removal = trx.deleteFrom('custom_list_entries').where('list_id', '=', listId).where('key', 'in', batch);
    const removed = await removal.returning(storedBytes).execute();
    await trx
      .updateTable('custom_lists')
      .set((row) => ({ total: row('total', '-', removed.length), bytes: row('bytes', '-', totalBytes(removed)) }))
      .where('id', '=', listId)
      .execute();
    return removed.length;
  });
}

/** Entries that expire quickly must not fill the database for the days that they are shown. */
export async function trimExpired(
  trx: Transaction<Schema>,
  listId: string,
  excess: number,
  nowMs: number,
): Promise<{ bytes: number }[]> {
  if (excess <= 0) return [];
  const oldest = trx
    .selectFrom('custom_list_entries')
    .select('key')
    .where('list_id', '=', listId)
    .where('expires_at', '<=', nowMs)
    .orderBy('expires_at')
    .limit(excess);
  const removal = trx.deleteFrom('custom_list_entries').where('list_id', '=', listId).where('key', 'in', oldest);
  return removal.returning(storedBytes).execute();
}
