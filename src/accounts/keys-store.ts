import type { Transaction } from 'kysely';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';
import { isUniqueViolation } from '../db/storage-errors.ts';
import type { Account } from './accounts.ts';
import { accountsTopic, toAccount } from './accounts-store.ts';
import type { KeyRecord } from './keys.ts';

/** Keys in the database: hashes, never the keys themselves. */
export interface KeysStore {
  /** False when the account does not exist; throws when the key is stored already. */
  insert(record: KeyRecord, hash: string): Promise<boolean>;
  list(accountId: string): Promise<KeyRecord[]>;
  /** The account whose key was revoked; null when there is no such key or it was revoked before. */
  revoke(id: string, nowMs: number): Promise<string | null>;
  /** A key that works, with its account. */
  findByHash(hash: string): Promise<{ key: KeyRecord; account: Account } | null>;
}

export function createKeysStore(db: Db): KeysStore {
  return {
    insert: (record, hash) =>
      db.transaction(async (trx) => {
        const owner = await trx
          .selectFrom('accounts')
          .select('id')
          .where('id', '=', record.accountId)
          .executeTakeFirst();
        if (owner === undefined) return false;
        await insertKey(trx, record, hash);
        return true;
      }),
    async list(accountId) {
      const rows = await db.read
        .selectFrom('keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toKeyRecord);
    },
    revoke: (id, nowMs) =>
      db.transaction(async (trx) => {
        const row = await trx
          .updateTable('keys')
          .set({ revoked_at: nowMs })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .returning('account_id')
          .executeTakeFirst();
        if (row === undefined) return null;
        await recordChange(trx, accountsTopic, row.account_id, nowMs);
        return row.account_id;
      }),
    async findByHash(hash) {
      const key = await db.read
        .selectFrom('keys')
        .selectAll()
        .where('hash', '=', hash)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (key === undefined) return null;
      const account = await db.read
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', key.account_id)
        .executeTakeFirst();
      return account === undefined ? null : { key: toKeyRecord(key), account: toAccount(account) };
    },
  };
}

/** Adds a key inside a transaction of the caller's. */
export async function insertKey(trx: Transaction<Schema>, record: KeyRecord, hash: string): Promise<void> {
  try {
    await trx
      .insertInto('keys')
      .values({
        id: record.id,
        account_id: record.accountId,
        environment: record.environment,
        name: record.name,
        hash,
        prefix: record.prefix,
        last4: record.last4,
        created_at: record.createdAtMs,
        revoked_at: null,
      })
      .execute();
  } catch (error) {
    if (isUniqueViolation(error)) throw new Error('this key is stored already', { cause: error });
    throw error;
  }
  await recordChange(trx, accountsTopic, record.accountId, record.createdAtMs);
}

function toKeyRecord(row: {
  id: string;
  account_id: string;
  environment: string;
  name: string | null;
  prefix: string;
  last4: string;
  created_at: number;
  revoked_at: number | null;
}): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    environment: row.environment as KeyRecord['environment'],
    name: row.name,
    prefix: row.prefix,
    last4: row.last4,
    createdAtMs: row.created_at,
    revokedAtMs: row.revoked_at,
  };
}
