import type { Selectable, Transaction } from 'kysely';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import type { AccountsTable, Schema } from '../db/schema.ts';
import type { Account } from './accounts.ts';

/** The topic under which changes to accounts and keys are announced; the scope is the account's id. */
export const accountsTopic = 'accounts';

/** Accounts in the database. */
export interface AccountsStore {
  insert(account: Account): Promise<void>;
  list(): Promise<Account[]>;
  find(id: string): Promise<Account | null>;
  /** False when there is no such account. */
  update(id: string, change: { planId?: string; overage?: boolean }, nowMs: number): Promise<boolean>;
}

export function createAccountsStore(db: Db): AccountsStore {
  return {
    insert: (account) => db.transaction((trx) => insertAccount(trx, account)),
    async list() {
      const rows = await db.read.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(toAccount);
    },
    async find(id) {
      const row = await db.read.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toAccount(row);
    },
    update: (id, change, nowMs) =>
      db.transaction(async (trx) => {
        const values = {
          ...(change.planId === undefined ? {} : { plan: change.planId }),
          ...(change.overage === undefined ? {} : { overage: change.overage ? 1 : 0 }),
        };
        const rows = await trx.updateTable('accounts').set(values).where('id', '=', id).returning('id').execute();
        if (rows.length > 0) await recordChange(trx, accountsTopic, id, nowMs);
        return rows.length > 0;
      }),
  };
}

/** Adds an account inside a transaction of the caller's. */
export async function insertAccount(trx: Transaction<Schema>, account: Account): Promise<void> {
  await trx
    .insertInto('accounts')
    .values({
      id: account.id,
      name: account.name,
      email: account.email,
      plan: account.planId,
      overage: account.overage ? 1 : 0,
      created_at: account.createdAtMs,
    })
    .execute();
  await recordChange(trx, accountsTopic, account.id, account.createdAtMs);
}

/** An account row in the words of the rest of the code. */
export function toAccount(row: Selectable<AccountsTable>): Account {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    planId: row.plan,
    overage: row.overage === 1,
    createdAtMs: row.created_at,
  };
}
