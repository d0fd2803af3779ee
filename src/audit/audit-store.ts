import type { Selectable } from 'kysely';
import type { ActorKind } from '../actor.ts';
import { type AuditedAct, recordAct } from '../db/audit.ts';
import type { Db } from '../db/db.ts';
import { ownedBy } from '../db/owned-by.ts';
import type { AuditTable } from '../db/schema.ts';
import type { AuditFilter, AuditLine } from './audit.ts';

/** Actors that belong to an account rather than to the operator. */
export type OwnKind = 'key' | 'user';

const ownKinds: readonly OwnKind[] = ['key', 'user'];
const rowsPerPage = 1_000;

export interface AuditStore {
  /** Newest first. */
  list(filter: AuditFilter, limit: number): Promise<AuditLine[]>;
  /** An environment's newest entries with each of these actions since `fromMs`, or those of no account; in no order. */
  recent(
    owner: { readonly accountId: string; readonly environment: string } | null,
    actions: readonly string[],
    fromMs: number,
    limitPerAction: number,
  ): Promise<AuditLine[]>;
  /** Records an act that belongs to no transaction of the database. */
  record(by: AuditLine['by'], act: AuditedAct, nowMs: number): Promise<void>;
  /** Removes up to `limit` entries older than `beforeMs`, the oldest first; returns how many. */
  prune(beforeMs: number, limit: number): Promise<number>;
  /** Removes names, and the origins of its keys and users, from up to `limit` entries of an account; returns how many. */
  forgetNames(accountId: string, limit: number): Promise<number>;
  /** Rewrites the details of an account's entries, JSON texts, where `rewrite` changes them. */
  rewriteDetails(accountId: string, rewrite: (detail: string) => string): Promise<void>;
  /** Removes an IP address as the origin of an account's entries. */
  forgetOrigin(accountId: string, from: string): Promise<void>;
  /** Accounts with more than `max` entries by their own keys, or by their own users. */
  accountsOver(by: OwnKind, max: number): Promise<string[]>;
  /** Removes up to `limit` entries by an account's own keys or users, the oldest first, except the newest `max`; returns how many. */
  trimAccount(accountId: string, by: OwnKind, max: number, limit: number): Promise<number>;
}

export function createAuditStore(db: Db): AuditStore {
  return {
    list: async (filter, limit) => (await selectEntries(db, filter).limit(limit).execute()).map(toLine),
    async recent(owner, actions, fromMs, limitPerAction) {
      // One short range of the index per action: an action that happens all the time hides no other.
      const [first, ...others] = actions.map((action) => {
        const entries = db.read.selectFrom('audit').selectAll();
        const own =
          owner === null
            ? entries.where('account_id', 'is', null).where('environment', 'is', null)
            : entries.where(ownedBy(owner));
        const newest = own.where('action', '=', action).where('at', '>=', fromMs).orderBy('at', 'desc');
        return db.read.selectFrom(newest.limit(limitPerAction).as('newest')).selectAll();
      });
      if (first === undefined) return [];
      return (await others.reduce((all, some) => all.unionAll(some), first).execute()).map(toLine);
    },
    record: (by, act, nowMs) => db.transaction((trx) => recordAct(trx, by, act, nowMs)),
    prune: (beforeMs, limit) => removeOldest(db, beforeMs, limit),
    forgetNames: (accountId, limit) => forgetNames(db, accountId, limit),
    rewriteDetails: (accountId, rewrite) => rewriteDetails(db, accountId, rewrite),
    async forgetOrigin(accountId, from) {
      await db.write
        .updateTable('audit')
        .set({ actor_from: null })
        .where('account_id', '=', accountId)
        .where('actor_from', '=', from)
        .execute();
    },
    accountsOver: (by, max) => accountsOver(db, by, max),
    async trimAccount(accountId, by, max, limit) {
      const own = db.read.selectFrom('audit').where('account_id', '=', accountId).where('actor_kind', '=', by);
      const newestRemoved = await own.select('at').orderBy('at', 'desc').offset(max).limit(1).executeTakeFirst();
      if (newestRemoved === undefined) return 0;
      const removed = own.select('id').where('at', '<=', newestRemoved.at).orderBy('at').limit(limit);
      return Number(
        (await db.background.write.deleteFrom('audit').where('id', 'in', removed).executeTakeFirst()).numDeletedRows,
      );
    },
  };
}

async function removeOldest(db: Db, beforeMs: number, limit: number): Promise<number> {
  const old = db.background.write
    .selectFrom('audit')
    .select('id')
    .where('at', '<', beforeMs)
    .orderBy('at')
    .limit(limit);
  return Number(
    (await db.background.write.deleteFrom('audit').where('id', 'in', old).executeTakeFirst()).numDeletedRows,
  );
}

async function forgetNames(db: Db, accountId: string, limit: number): Promise<number> {
  const named = db.write
    .selectFrom('audit')
    .select('id')
    .where('account_id', '=', accountId)
    .where(({ or, and, eb }) =>
      or([eb('detail', '!=', '{}'), and([eb('actor_kind', 'in', ownKinds), eb('actor_from', 'is not', null)])]),
    )
    .limit(limit);
  const result = await db.write
    .updateTable('audit')
    .set(({ eb }) => ({
      detail: '{}',
      actor_from: eb.case().when('actor_kind', 'in', ownKinds).then(null).else(eb.ref('actor_from')).end(),
    }))
    .where('id', 'in', named)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

async function rewriteDetails(db: Db, accountId: string, rewrite: (detail: string) => string): Promise<void> {
  const entries = db.read.selectFrom('audit').select(['id', 'detail']).where('account_id', '=', accountId);
  for (let after = ''; ; ) {
    const rows = await entries.where('id', '>', after).orderBy('id').limit(rowsPerPage).execute();
    for (const { id, detail } of rows) {
      const rewritten = rewrite(detail);
      if (rewritten === detail) continue;
      await db.write.updateTable('audit').set({ detail: rewritten }).where('id', '=', id).execute();
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function accountsOver(db: Db, by: OwnKind, max: number): Promise<string[]> {
  const rows = await db.read
    .selectFrom('audit')
    .select('account_id')
    .where('actor_kind', '=', by)
    .where('account_id', 'is not', null)
    .groupBy('account_id')
    .having((row) => row.fn.countAll<number>(), '>', max)
    .execute();
  return rows.flatMap(({ account_id }) => account_id ?? []);
}

function selectEntries(db: Db, filter: AuditFilter) {
  let query = db.read.selectFrom('audit').selectAll();
  if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
  if (filter.action !== undefined) {
    // `key` selects every action on keys.
    const { action } = filter;
    query = action.includes('.')
      ? query.where('action', '=', action)
      : query.where('action', '>=', `${action}.`).where('action', '<', `${action}/`);
  }
  if (filter.actor !== undefined) query = query.where('actor_id', '=', filter.actor);
  if (filter.subject !== undefined) query = query.where('subject', '=', filter.subject);
  if (filter.fromMs !== undefined) query = query.where('at', '>=', filter.fromMs);
  if (filter.toMs !== undefined) query = query.where('at', '<', filter.toMs);
  return query.orderBy('at', 'desc').orderBy('id', 'desc');
}

function toLine(row: Selectable<AuditTable>): AuditLine {
  return {
    id: row.id,
    atMs: row.at,
    by: { kind: row.actor_kind as ActorKind, id: row.actor_id, from: row.actor_from },
    accountId: row.account_id,
    environment: row.environment,
    action: row.action,
    subject: row.subject,
    detail: JSON.parse(row.detail) as AuditLine['detail'],
  };
}
