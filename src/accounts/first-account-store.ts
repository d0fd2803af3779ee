import type { Actor } from '../actor.ts';
import type { Db } from '../db/db.ts';
import type { Account } from './accounts.ts';
import { insertAccount } from './accounts-store.ts';
import type { KeyRecord } from './keys.ts';
import { insertKey } from './keys-store.ts';

/** Adds the first account and its keys to an empty database, in one transaction. False when an earlier start did so or accounts exist. */
export function insertFirstAccount(
  db: Db,
  account: Account,
  keys: readonly { record: KeyRecord; hash: string }[],
  by: Actor,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    // The setting is the lock: of two processes that start at the same time, only one inserts it.
    const won = await trx
      .insertInto('settings')
      .values({ name: 'first_account', value: account.id })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .execute();
    if (won.length === 0) return false;
    const anyAccount = await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
    if (anyAccount !== undefined) return false;
    await insertAccount(trx, account, by);
    for (const key of keys) await insertKey(trx, key, by, 'key.created');
    return true;
  });
}
