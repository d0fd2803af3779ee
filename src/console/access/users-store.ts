import type { Selectable, Transaction } from 'kysely';
import type { Actor } from '../../actor.ts';
import { recordAct } from '../../db/audit.ts';
import type { Db } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import { isUniqueViolation } from '../../db/storage-errors.ts';
import type { UsersTable } from '../../db/tables/console-tables.ts';
import type { Role } from '../../http/session-api/session-context.ts';
import type { StoredUser, User } from './users.ts';

/** Users in the database, and their sign-in links. */
export interface UsersStore {
  insert(user: User, max: number, by: Actor): Promise<'inserted' | 'taken' | 'full' | 'no account'>;
  /** Oldest first; null lists every account. */
  list(accountId: string | null): Promise<User[]>;
  find(id: string): Promise<StoredUser | null>;
  /** The user who signs in with an address: invited ones without a password do not. */
  findByEmail(email: string): Promise<StoredUser | null>;
  /** Also ends their sessions and links; false when the account has no such user. */
  remove(id: string, accountId: string, by: Actor, nowMs: number): Promise<boolean>;
  /** Ends every link and every session but one, which no longer counts as started by a link. */
  setPassword(change: PasswordChange, by: Actor, nowMs: number): Promise<'changed' | 'taken' | 'gone'>;
  /** Removes the password, sessions and links; false for an unknown user. */
  resetPassword(id: string, by: Actor, nowMs: number): Promise<boolean>;
  /** Replaces the link of a user; false for an unknown user. */
  replaceLink(id: string, link: { hash: string; expiresAtMs: number }, by: Actor, nowMs: number): Promise<boolean>;
  hasAnybodySignedIn(): Promise<boolean>;
  /** The oldest account; null without any. */
  firstAccount(): Promise<{ id: string; email: string } | null>;
}

/** In place of a password that was reset: nothing matches it, and its user keeps the address. */
const noPassword = 'reset';

/** A new password, and optionally a new email address. */
export interface PasswordChange {
  readonly userId: string;
  readonly password: string;
  readonly email?: string;
  readonly keptSessionId: string;
}

export function createUsersStore(db: Db): UsersStore {
  const all = db.read.selectFrom('users').selectAll();
  const one = async (found: typeof all): Promise<StoredUser | null> => {
    const row = await found.executeTakeFirst();
    return row === undefined ? null : { ...toUser(row), password: passwordOf(row) };
  };
  return {
    insert: (user, max, by) => whereFree('taken', () => db.transaction((trx) => insertUser(trx, user, max, by))),
    async list(accountId) {
      const found = accountId === null ? all : all.where('account_id', '=', accountId);
      return (await found.orderBy('created_at').orderBy('id').execute()).map(toUser);
    },
    find: (id) => one(all.where('id', '=', id)),
    findByEmail: (email) => one(all.where('email', '=', email).where('password', 'is not', null)),
    remove: (id, accountId, by, nowMs) =>
      db.transaction(async (trx) => {
        if (!(await shutOut(trx, id, accountId))) return false;
        await trx.deleteFrom('users').where('id', '=', id).execute();
        await recordAct(trx, by, { action: 'user.deleted', subject: id, accountId }, nowMs);
        return true;
      }),
    setPassword: (change, by, nowMs) =>
      whereFree('taken', () => db.transaction((trx) => changePassword(trx, change, by, nowMs))),
    resetPassword: (id, by, nowMs) =>
      db.transaction(async (trx) => {
        const user = await shutOut(trx, id);
        if (!user) return false;
        const act = { action: 'user.password_reset', subject: id, accountId: user.account_id };
        await recordAct(trx, by, act, nowMs);
        return true;
      }),
    replaceLink: (id, { hash, expiresAtMs }, by, nowMs) =>
      db.transaction(async (trx) => {
        const user = await trx.selectFrom('users').select('account_id').where('id', '=', id).executeTakeFirst();
        if (user === undefined) return false;
        await upsertLink(trx, { hash, user_id: id, expires_at: expiresAtMs });
        const act = { action: 'user.link_created', subject: id, accountId: user.account_id };
        await recordAct(trx, by, act, nowMs);
        return true;
      }),
    async hasAnybodySignedIn() {
      const signedIn = db.read.selectFrom('users').select('id').where('signed_in_at', 'is not', null);
      return (await signedIn.limit(1).executeTakeFirst()) !== undefined;
    },
    async firstAccount() {
      const accounts = db.read.selectFrom('accounts').select(['id', 'email']).orderBy('created_at').orderBy('id');
      return (await accounts.limit(1).executeTakeFirst()) ?? null;
    },
  };
}

async function insertUser(
  trx: Transaction<Schema>,
  user: User,
  max: number,
  by: Actor,
): Promise<'inserted' | 'full' | 'no account'> {
  const { id, accountId, email, role, createdAtMs } = user;
  const account = await trx.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst();
  if (account === undefined) return 'no account';
  const others = await trx.selectFrom('users').select('id').where('account_id', '=', accountId).limit(max).execute();
  if (others.length >= max) return 'full';
  await trx
    .insertInto('users')
    .values({ id, account_id: accountId, email, role, password: null, created_at: createdAtMs, signed_in_at: null })
    .execute();
  await recordAct(trx, by, { action: 'user.created', subject: id, accountId, detail: { role } }, createdAtMs);
  return 'inserted';
}

async function changePassword(
  trx: Transaction<Schema>,
  { userId, password, email, keptSessionId }: PasswordChange,
  by: Actor,
  nowMs: number,
): Promise<'changed' | 'gone'> {
  // First, so that a concurrent sign-in with the old password waits for this row, and then fails.
  const user = await trx
    .updateTable('users')
    .set({ password, ...(email === undefined ? {} : { email }) })
    .where('id', '=', userId)
    .returning('account_id')
    .executeTakeFirst();
  if (user === undefined) return 'gone';
  await trx.deleteFrom('sign_in_links').where('user_id', '=', userId).execute();
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', keptSessionId).execute();
  await trx.updateTable('sessions').set({ by_link: 0 }).where('id', '=', keptSessionId).execute();
  const detail = email === undefined ? {} : { email: 'changed' };
  await recordAct(
    trx,
    by,
    { action: 'user.password_changed', subject: userId, accountId: user.account_id, detail },
    nowMs,
  );
  return 'changed';
}

/** A user has one link at a time. */
async function upsertLink(trx: Transaction<Schema>, link: Schema['sign_in_links']): Promise<void> {
  const { hash, expires_at } = link;
  await trx
    .insertInto('sign_in_links')
    .values(link)
    .onConflict((there) => there.column('user_id').doUpdateSet({ hash, expires_at }))
    .execute();
}

/** Removes the password, links and sessions; locks the user's row, so that none is created meanwhile. */
async function shutOut(
  trx: Transaction<Schema>,
  id: string,
  accountId?: string,
): Promise<{ account_id: string } | false> {
  const all = trx.updateTable('users').where('id', '=', id);
  const own = accountId === undefined ? all : all.where('account_id', '=', accountId);
  const user = await own
    .set(({ eb }) => ({ password: eb.case().when('password', 'is', null).then(null).else(noPassword).end() }))
    .returning('account_id')
    .executeTakeFirst();
  if (user === undefined) return false;
  await trx.deleteFrom('sessions').where('user_id', '=', id).execute();
  await trx.deleteFrom('sign_in_links').where('user_id', '=', id).execute();
  return user;
}

/** The result of the work, or `otherwise` when another user has the address. */
async function whereFree<T, O>(otherwise: O, work: () => Promise<T>): Promise<T | O> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) return otherwise;
    throw error;
  }
}

function passwordOf({ password }: Selectable<UsersTable>): string | null {
  return password === noPassword ? null : password;
}

function toUser(row: Selectable<UsersTable>): User {
  return {
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    role: row.role as Role,
    hasPassword: passwordOf(row) !== null,
    createdAtMs: row.created_at,
    signedInAtMs: row.signed_in_at,
  };
}
