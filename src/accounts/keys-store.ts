import { type Selectable, sql, type Transaction } from 'kysely';
import type { Actor } from '../actor.ts';
import { recordAct } from '../db/audit.ts';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { readByKey } from '../db/read-by-key.ts';
import { rowsParameter } from '../db/rows.ts';
import type { Schema } from '../db/schema.ts';
import { isUniqueViolation } from '../db/storage-errors.ts';
import type { KeysTable } from '../db/tables/account-tables.ts';
import type { Owner, PublishableKey } from '../http/endpoint.ts';
import { chunksOf } from '../platform/chunks-of.ts';
import type { Account } from './accounts.ts';
import { accountsTopic, isAccount, toAccount } from './accounts-store.ts';
import type { KeyLineProblem } from './key-text/key-lines.ts';
import type { ImportedKeys, KeyRecord } from './keys.ts';

/** A key to store, and its line number in the import. */
export interface DescribedKey {
  readonly line: number;
  readonly record: KeyRecord;
  readonly hash: string;
}

/** A key that is not revoked, and its account. */
export interface FoundKey {
  readonly key: KeyRecord;
  readonly account: Account;
}

/** Keys in the database: hashes, never the keys themselves. */
export interface KeysStore {
  /** Resolves to false when the account does not exist; throws when the key is already stored. */
  insert(record: KeyRecord, hash: string, by: Actor): Promise<boolean>;
  /** Adds the missing keys, or none when one belongs to another owner or was revoked; null when the account does not exist. */
  insertAll(
    keys: readonly DescribedKey[],
    owner: Owner,
    by: Actor,
  ): Promise<ImportedKeys | { readonly problems: readonly KeyLineProblem[] } | null>;
  list(accountId: string): Promise<KeyRecord[]>;
  /** Resolves to the key's account; null when there is no such key (in `accountId`, if given) or it was already revoked. */
  revoke(id: string, by: Actor, nowMs: number, accountId?: string): Promise<string | null>;
  /** Resolves to the renamed key; null when the account has no such key or the key is revoked. */
  rename(key: { id: string; accountId: string }, name: string, by: Actor, nowMs: number): Promise<KeyRecord | null>;
  /** A key that is not revoked, with its account. */
  findByHash(hash: string): Promise<FoundKey | null>;
  /** Records that these keys were used at a time. */
  markUsed(ids: readonly string[], usedAtMs: number): Promise<void>;
}

const hashesPerQuery = 500;

export function createKeysStore(db: Db): KeysStore {
  const withHash = validKeysByHash(db);
  return {
    insert: (record, hash, by) =>
      db.transaction(async (trx) => {
        if (!(await isAccount(trx, record.accountId))) return false;
        await insertKey(trx, { record, hash }, by, 'key.created');
        return true;
      }),
    insertAll: (keys, owner, by) => db.transaction((trx) => insertMissing(trx, keys, owner, by)),
    list: (accountId) => listKeys(db, accountId),
    revoke: (id, by, nowMs, owner) =>
      db.transaction(async (trx) => {
        const all = trx
          .updateTable('keys')
          .set({ revoked_at: nowMs })
          .where('id', '=', id)
          .where('revoked_at', 'is', null);
        const row = await (owner === undefined ? all : all.where('account_id', '=', owner))
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        await recordAct(trx, by, actOn('key.revoked', row), nowMs);
        await recordChange(trx, accountsTopic, row.account_id, nowMs);
        return row.account_id;
      }),
    rename: ({ id, accountId }, name, by, nowMs) =>
      db.transaction(async (trx) => {
        const row = await trx
          .updateTable('keys')
          .set({ name })
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .where('revoked_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        await recordAct(trx, by, actOn('key.renamed', row), nowMs);
        return toKeyRecord(row);
      }),
    async findByHash(hash) {
      const [row] = await withHash(hash);
      if (row === undefined) return null;
      const { account_id: id, account_name: name, email, plan, overage, account_created_at: created_at } = row;
      return { key: toKeyRecord(row), account: toAccount({ id, name, email, plan, overage, created_at }) };
    },
    markUsed: (ids, usedAtMs) => markUsed(db, ids, usedAtMs),
  };
}

/** Reads keys that are not revoked, with their accounts. */
function validKeysByHash(db: Db) {
  return readByKey(
    db,
    (hash) =>
      db.read
        .selectFrom('keys')
        .innerJoin('accounts', 'accounts.id', 'keys.account_id')
        .selectAll('keys')
        .select([
          'accounts.name as account_name',
          'email',
          'plan',
          'overage',
          'accounts.created_at as account_created_at',
        ])
        .where('hash', '=', hash)
        .where('revoked_at', 'is', null),
    (row) => row.hash,
  );
}

async function listKeys(db: Db, accountId: string): Promise<KeyRecord[]> {
  const rows = await db.read
    .selectFrom('keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toKeyRecord);
}

async function markUsed(db: Db, ids: readonly string[], usedAtMs: number): Promise<void> {
  const used = rowsParameter(db, { id: 'text' }).table(ids.map((id) => ({ id })));
  await sql`update keys set last_used_at = ${usedAtMs}
    where id in (select id from ${used} used) and (last_used_at is null or last_used_at < ${usedAtMs})`.execute(
    db.background.write,
  );
}

async function insertMissing(
  trx: Transaction<Schema>,
  keys: readonly DescribedKey[],
  owner: Owner,
  by: Actor,
): Promise<Awaited<ReturnType<KeysStore['insertAll']>>> {
  if (!(await isAccount(trx, owner.accountId))) return null;
  const stored = await storedKeys(trx, [...new Set(keys.map(({ hash }) => hash))]);
  const problems = keys.flatMap(({ line, hash }) => {
    const reason = refusalOf(stored.get(hash), owner);
    return reason === null ? [] : [{ line, reason }];
  });
  if (problems.length > 0) return { problems };
  const missing = new Map(keys.filter(({ hash }) => !stored.has(hash)).map((key) => [key.hash, key.record]));
  for (const [hash, record] of missing) await insertKey(trx, { record, hash }, by, 'key.imported');
  return { imported: [...missing.values()], already: keys.length - missing.size };
}

type StoredKey = Pick<Selectable<KeysTable>, 'hash' | 'account_id' | 'environment' | 'revoked_at'>;

async function storedKeys(trx: Transaction<Schema>, hashes: readonly string[]): Promise<Map<string, StoredKey>> {
  const stored = new Map<string, StoredKey>();
  for (const some of chunksOf(hashes, hashesPerQuery)) {
    const rows = await trx
      .selectFrom('keys')
      .select(['hash', 'account_id', 'environment', 'revoked_at'])
      .where('hash', 'in', some)
      .execute();
    for (const row of rows) stored.set(row.hash, row);
  }
  return stored;
}

function refusalOf(key: StoredKey | undefined, owner: Owner): string | null {
  if (key === undefined) return null;
  if (key.account_id !== owner.accountId) return 'this key belongs to another account';
  if (key.environment !== owner.environment) return `this key belongs to the environment ${key.environment}`;
  return key.revoked_at === null ? null : 'this key was revoked';
}

/** Adds a key in the caller's transaction. */
export async function insertKey(
  trx: Transaction<Schema>,
  { record, hash }: { readonly record: KeyRecord; readonly hash: string },
  by: Actor,
  action: 'key.created' | 'key.imported',
): Promise<void> {
  const { id, accountId, environment, name, prefix, last4, createdAtMs, expiresAtMs, publishable } = record;
  const stored = publishable && JSON.stringify(publishable);
  const row = { id, account_id: accountId, environment, name, hash, prefix, last4, created_at: createdAtMs };
  try {
    await trx
      .insertInto('keys')
      .values({ ...row, revoked_at: null, expires_at: expiresAtMs, last_used_at: null, publishable: stored })
      .execute();
  } catch (error) {
    if (isUniqueViolation(error)) throw new Error('this key is stored already', { cause: error });
    throw error;
  }
  const expires = expiresAtMs === null ? {} : { expires_at: new Date(expiresAtMs).toISOString() };
  const origins = publishable === null ? {} : { origins: publishable.origins };
  const act = { action, subject: id, accountId, environment, detail: { name, last4, ...expires, ...origins } };
  await recordAct(trx, by, act, createdAtMs);
  await recordChange(trx, accountsTopic, accountId, createdAtMs);
}

/** An act on a stored key, for the audit trail. */
function actOn(action: string, { id, account_id: accountId, environment, name, last4 }: Selectable<KeysTable>) {
  return { action, subject: id, accountId, environment, detail: { name, last4 } };
}

function toKeyRecord(row: Selectable<KeysTable>): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    environment: row.environment as KeyRecord['environment'],
    name: row.name,
    prefix: row.prefix,
    last4: row.last4,
    createdAtMs: row.created_at,
    revokedAtMs: row.revoked_at,
    expiresAtMs: row.expires_at,
    lastUsedAtMs: row.last_used_at,
    publishable: row.publishable === null ? null : (JSON.parse(row.publishable) as PublishableKey),
  };
}
