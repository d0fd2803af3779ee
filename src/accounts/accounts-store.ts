import type { Selectable, Transaction } from 'kysely';
import type { Actor } from '../actor.ts';
import { recordAct } from '../db/audit.ts';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';
import type { AccountsTable } from '../db/tables/account-tables.ts';
import type { Account, AccountChange } from './accounts.ts';

/** The topic under which changes to accounts and keys are announced; the scope is the account's id. */
export const accountsTopic = 'accounts';

export interface AccountsStore {
  insert(account: Account, by: Actor): Promise<void>;
  list(): Promise<Account[]>;
  find(id: string): Promise<Account | null>;
  /** Resolves to the updated account; null when there is none. */
  update(id: string, change: AccountChange, by: Actor, nowMs: number): Promise<Account | null>;
  /** Removes the keys and the usage of an account; false when there is none. */
  removeKeys(id: string, by: Actor, nowMs: number): Promise<boolean>;
  /** Removes an account without keys, gates and blocklists; false when there is none. */
  remove(id: string, by: Actor, nowMs: number): Promise<boolean>;
}

export function createAccountsStore(db: Db): AccountsStore {
  return {
    insert: (account, by) => db.transaction((trx) => insertAccount(trx, account, by)),
    async list() {
      const rows = await db.read.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(toAccount);
    },
    async find(id) {
      const row = await db.read.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toAccount(row);
    },
    update: (id, change, by, nowMs) => db.transaction((trx) => updateAccount(trx, { id, change }, by, nowMs)),
    removeKeys: (id, by, nowMs) =>
      db.transaction(async (trx) => {
        if (!(await isAccount(trx, id))) return false;
        const { numDeletedRows } = await trx.deleteFrom('keys').where('account_id', '=', id).executeTakeFirst();
        await trx.deleteFrom('usage').where('account_id', '=', id).execute();
        await trx.deleteFrom('credit_leases').where('account_id', '=', id).execute();
        const detail = { keys: Number(numDeletedRows) };
        await recordAct(trx, by, { action: 'account.closed', subject: id, accountId: id, detail }, nowMs);
        await recordChange(trx, accountsTopic, id, nowMs);
        return true;
      }),
    remove: (id, by, nowMs) =>
      db.transaction(async (trx) => {
        const gone = await trx.deleteFrom('accounts').where('id', '=', id).executeTakeFirst();
        if (gone.numDeletedRows === 0n) return false;
        await trx.deleteFrom('usage').where('account_id', '=', id).execute();
        await trx.deleteFrom('credit_leases').where('account_id', '=', id).execute();
        await recordAct(trx, by, { action: 'account.deleted', subject: id, accountId: id }, nowMs);
        await recordChange(trx, accountsTopic, id, nowMs);
        return true;
      }),
  };
}

/** Whether the account exists, read in the caller's transaction. */
export async function isAccount(trx: Transaction<Schema>, id: string): Promise<boolean> {
  return (await trx.selectFrom('accounts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

async function updateAccount(
  trx: Transaction<Schema>,
  { id, change }: { readonly id: string; readonly change: AccountChange },
  by: Actor,
  nowMs: number,
): Promise<Account | null> {
  const row = await trx.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const before = toAccount(row);
  const after = { ...before, ...change };
  await trx.updateTable('accounts').set(changeable(after)).where('id', '=', id).execute();
  const act = { action: 'account.changed', subject: id, accountId: id, detail: changeDetail(before, after) };
  await recordAct(trx, by, act, nowMs);
  await recordChange(trx, accountsTopic, id, nowMs);
  return after;
}

/** Names and email addresses are personal data: the audit trail records that they changed, not their values. */
function changeDetail(before: Account, after: Account): Readonly<Record<string, unknown>> {
  return {
    ...(before.name === after.name ? {} : { name: 'changed' }),
    ...(before.email === after.email ? {} : { email: 'changed' }),
    ...(before.planId === after.planId ? {} : { plan: { from: before.planId, to: after.planId } }),
    ...(before.overage === after.overage ? {} : { overage: after.overage }),
  };
}

function changeable({ name, email, planId, overage }: Account) {
  return { name, email, plan: planId, overage: overage ? 1 : 0 };
}

/** Adds an account in the caller's transaction. */
export async function insertAccount(trx: Transaction<Schema>, account: Account, by: Actor): Promise<void> {
  const { id, planId, createdAtMs } = account;
  await trx
    .insertInto('accounts')
    .values({ id, ...changeable(account), created_at: createdAtMs })
    .execute();
  const act = { action: 'account.created', subject: id, accountId: id, detail: { plan: planId } };
  await recordAct(trx, by, act, createdAtMs);
  await recordChange(trx, accountsTopic, id, createdAtMs);
}

/** Converts a database row to an account. */
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
