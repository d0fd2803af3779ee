import type { Db } from '../db/db.ts';

/** An account's lists that have an entry with one of these keys, whether it has expired or not. */
export async function listsNaming(
  db: Db,
  accountId: string,
  ...keys: readonly string[]
): Promise<{ name: string; environment: string }[]> {
  return db.read
    .selectFrom('custom_lists')
    .innerJoin('custom_list_entries', 'custom_list_entries.list_id', 'custom_lists.id')
    .select(['custom_lists.name', 'custom_lists.environment'])
    .distinct()
    .where('custom_lists.account_id', '=', accountId)
    .where('custom_list_entries.key', 'in', keys)
    .orderBy('custom_lists.name')
    .orderBy('custom_lists.environment')
    .execute();
}
