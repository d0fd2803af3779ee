import type { Transaction } from 'kysely';
import { recordAct } from '../../db/audit.ts';
import type { Db } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import type { Role } from '../../http/session-api/session-context.ts';
import type { FoundSession, LinkTarget, NewSession, OwnSession } from './sessions.ts';

/** Sessions in the database: hashes of tokens, never the tokens. */
export interface SessionsStore {
  /** False when the user or the password has changed since the check. */
  beginByPassword(userId: string, password: string, session: NewSession): Promise<boolean>;
  /** Consumes a link; returns its user, or null when it is unknown or expired. */
  beginByLink(linkHash: string, session: NewSession): Promise<string | null>;
  /** The user and account of a link, which stays valid; null when it is unknown or expired. */
  findLink(linkHash: string, nowMs: number): Promise<LinkTarget | null>;
  find(hash: string): Promise<FoundSession | null>;
  seen(id: string, atMs: number): Promise<void>;
  endByHash(hash: string): Promise<void>;
  /** False when the user has no such session. */
  end(id: string, userId: string): Promise<boolean>;
  endAll(userId: string): Promise<void>;
  /** Newest first. */
  list(userId: string): Promise<OwnSession[]>;
  /** Removes expired sessions and links. */
  prune(before: { readonly seenMs: number; readonly createdMs: number; readonly linksMs: number }): Promise<void>;
}

/** More browsers than one user signs in with; a further session ends the oldest. */
const maxSessions = 50;

export function createSessionsStore(db: Db): SessionsStore {
  return {
    beginByPassword: (userId, password, session) =>
      db.transaction((trx) => beginByPassword(trx, userId, password, session)),
    beginByLink: (linkHash, session) => db.transaction((trx) => beginByLink(trx, linkHash, session)),
    findLink: (linkHash, nowMs) => findLink(db, linkHash, nowMs),
    find: (hash) => findSession(db, hash),
    async seen(id, atMs) {
      await db.background.write.updateTable('sessions').set({ seen_at: atMs }).where('id', '=', id).execute();
    },
    async endByHash(hash) {
      await db.write.deleteFrom('sessions').where('hash', '=', hash).execute();
    },
    async end(id, userId) {
      const gone = await db.write
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return gone.numDeletedRows > 0n;
    },
    async endAll(userId) {
      await db.write.deleteFrom('sessions').where('user_id', '=', userId).execute();
    },
    list: (userId) =>
      db.read
        .selectFrom('sessions')
        .select(['id', 'created_at as createdAtMs', 'seen_at as seenAtMs', 'came_from as from', 'agent'])
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    async prune({ seenMs, createdMs, linksMs }) {
      await db.write
        .deleteFrom('sessions')
        .where((row) => row.or([row('seen_at', '<', seenMs), row('created_at', '<', createdMs)]))
        .execute();
      await db.write.deleteFrom('sign_in_links').where('expires_at', '<', linksMs).execute();
    },
  };
}

async function findLink(db: Db, linkHash: string, nowMs: number): Promise<LinkTarget | null> {
  const row = await db.read
    .selectFrom('sign_in_links')
    .innerJoin('users', 'users.id', 'sign_in_links.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.email', 'accounts.name as account'])
    .where('sign_in_links.hash', '=', linkHash)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return row ?? null;
}

async function beginByPassword(
  trx: Transaction<Schema>,
  userId: string,
  password: string,
  session: NewSession,
): Promise<boolean> {
  const signedIn = signIn(trx, userId, session).where('password', '=', password);
  const user = await signedIn.returning('account_id').executeTakeFirst();
  if (user === undefined) return false;
  await insert(trx, { userId, accountId: user.account_id, with: 'password' }, session);
  return true;
}

async function beginByLink(trx: Transaction<Schema>, linkHash: string, session: NewSession): Promise<string | null> {
  const taken = trx.deleteFrom('sign_in_links').where('hash', '=', linkHash).returning(['user_id', 'expires_at']);
  const link = await taken.executeTakeFirst();
  if (link === undefined || link.expires_at <= session.createdAtMs) return null;
  const user = await signIn(trx, link.user_id, session).returning('account_id').executeTakeFirst();
  if (user === undefined) return null;
  await insert(trx, { userId: link.user_id, accountId: user.account_id, with: 'link' }, session);
  return link.user_id;
}

const signIn = (trx: Transaction<Schema>, userId: string, { createdAtMs }: NewSession) =>
  trx.updateTable('users').set({ signed_in_at: createdAtMs }).where('id', '=', userId);

async function findSession(db: Db, hash: string): ReturnType<SessionsStore['find']> {
  const row = await db.read
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.by_link', 'sessions.created_at', 'sessions.seen_at'])
    .select(['users.id as user_id', 'users.account_id', 'users.role'])
    .where('sessions.hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    byLink: row.by_link === 1,
    createdAtMs: row.created_at,
    seenAtMs: row.seen_at,
    userId: row.user_id,
    accountId: row.account_id,
    role: row.role as Role,
  };
}

interface SignedIn {
  readonly userId: string;
  readonly accountId: string;
  readonly with: 'password' | 'link';
}

async function insert(
  trx: Transaction<Schema>,
  { userId, accountId, with: proof }: SignedIn,
  { id, hash, createdAtMs, from, agent }: NewSession,
): Promise<void> {
  const times = { created_at: createdAtMs, seen_at: createdAtMs };
  await trx
    .insertInto('sessions')
    .values({ id, hash, user_id: userId, by_link: proof === 'link' ? 1 : 0, ...times, came_from: from, agent })
    .execute();
  const kept = trx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSessions);
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'not in', kept).execute();
  const by = { kind: 'user', id: userId, from } as const;
  const detail = { with: proof };
  await recordAct(trx, by, { action: 'user.signed_in', subject: userId, accountId, detail }, createdAtMs);
}
