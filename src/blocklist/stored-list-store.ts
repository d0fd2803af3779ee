import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { ownedBy } from '../db/owned-by.ts';
import type { Owner } from '../http/endpoint.ts';
import type { ChangedReason } from './entries-by-domain-store.ts';

/** The row of an owner's list; undefined if the owner has never listed a domain. */
export function findList(from: Db['read'], owner: Owner) {
  return from
    .selectFrom('blocklists')
    .select(['id', 'total', 'last_seq', 'pruned_through'])
    .where(ownedBy(owner))
    .executeTakeFirst();
}

/** A stored entry; the domain is in ASCII form. */
export interface StoredEntry {
  readonly domain: string;
  readonly createdAtMs: number;
  readonly reason: string | null;
}

/** Rewrites the reasons on an account's blocklists. */
export async function rewriteBlocklistReasons(
  db: Db,
  accountId: string,
  rewrite: (text: string) => string,
): Promise<void> {
  const ofAccount = sql<boolean>`list_id in (select id from blocklists where account_id = ${accountId})`;
  const rows = await db.read
    .selectFrom('blocklist_entries')
    .select('reason')
    .distinct()
    .where('reason', 'is not', null)
    .where(ofAccount)
    .execute();
  for (const { reason } of rows) {
    const rewritten = reason === null ? null : rewrite(reason);
    if (rewritten === reason) continue;
    await db.write
      .updateTable('blocklist_entries')
      .set({ reason: rewritten })
      .where('reason', '=', reason)
      .where(ofAccount)
      .execute();
  }
}

/** The entry of a domain on an owner's list; null when it is not listed. */
export async function findEntry(db: Db, owner: Owner, domain: string): Promise<StoredEntry | null> {
  const row = await db.read
    .selectFrom('blocklists')
    .innerJoin('blocklist_entries', 'blocklist_entries.list_id', 'blocklists.id')
    .select(['blocklist_entries.created_at', 'blocklist_entries.reason'])
    .where(ownedBy(owner, 'blocklists'))
    .where('blocklist_entries.domain', '=', domain)
    .executeTakeFirst();
  return row === undefined ? null : { domain, createdAtMs: row.created_at, reason: row.reason };
}

/** The topic of changes to blocklists; the scope is the owner's. */
export const blocklistTopic = 'blocklist';

export function ownerOf(scope: string): Owner {
  const slash = scope.lastIndexOf('/');
  return { accountId: scope.slice(0, slash), environment: scope.slice(slash + 1) as Owner['environment'] };
}

/** The reasons that differ from those of listed domains. */
export function changedReasons(
  listed: ReadonlyMap<string, string | null>,
  reasons: ReadonlyMap<string, string>,
): ChangedReason[] {
  return [...listed].flatMap(([domain, current]) => {
    const reason = reasons.get(domain);
    return reason === undefined || reason === current ? [] : [{ domain, reason }];
  });
}

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
