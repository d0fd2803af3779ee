import type { Selectable } from 'kysely';
import type { ActorKind } from '../actor.ts';
import { type AuditedAct, recordAct } from '../db/audit.ts';
import type { Db } from '../db/db.ts';
import type { AuditTable } from '../db/schema.ts';
import type { AuditFilter, AuditLine } from './audit.ts';

/** Those of an account that note acts without the operator. */
export type OwnKind = 'key' | 'user';

/** The audit trail in the database. */
export interface AuditStore {
  /** Newest first. */
  list(filter: AuditFilter, limit: number): Promise<AuditLine[]>;
  /** Notes something that no transaction of the database belongs to. */
  record(by: AuditLine['by'], act: AuditedAct, nowMs: number): Promise<void>;
  /** Removes up to `limit` entries from before a moment, the oldest first; how many went. */
  prune(beforeMs: number, limit: number): Promise<number>;
  /** Accounts of which more than `most` acts of their own keys, or of their own users, are noted. */
  crowded(by: OwnKind, most: number): Promise<string[]>;
  /** Removes up to `limit` acts of an account's own keys or users, the oldest first, but not the newest `most`; how many went. */
  thin(accountId: string, by: OwnKind, most: number, limit: number): Promise<number>;
}

export function createAuditStore(db: Db): AuditStore {
  return {
    list: async (filter, limit) => (await selectEntries(db, filter).limit(limit).execute()).map(toLine),
    record: (by, act, nowMs) => db.transaction((trx) => recordAct(trx, by, act, nowMs)),
    async prune(beforeMs, limit) {
      const old = db.background.write
        .selectFrom('audit')
        .select('id')
        .where('at', '<', beforeMs)
        .orderBy('at')
        .limit(limit);
      return Number(
        (await db.background.write.deleteFrom('audit').where('id', 'in', old).executeTakeFirst()).numDeletedRows,
      );
    },
    async crowded(by, most) {
      const rows = await db.read
        .selectFrom('audit')
        .select('account_id')
        .where('actor_kind', '=', by)
        .where('account_id', 'is not', null)
        .groupBy('account_id')
        .having((row) => row.fn.countAll<number>(), '>', most)
        .execute();
      return rows.flatMap(({ account_id }) => account_id ?? []);
    },
    async thin(accountId, by, most, limit) {
      const own = db.read.selectFrom('audit').where('account_id', '=', accountId).where('actor_kind', '=', by);
      const newestGoing = await own.select('at').orderBy('at', 'desc').offset(most).limit(1).executeTakeFirst();
      if (newestGoing === undefined) return 0;
      const going = own.select('id').where('at', '<=', newestGoing.at).orderBy('at').limit(limit);
      return Number(
        (await db.background.write.deleteFrom('audit').where('id', 'in', going).executeTakeFirst()).numDeletedRows,
      );
    },
  };
}

function selectEntries(db: Db, filter: AuditFilter) {
  let query = db.read.selectFrom('audit').selectAll();
  if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
  if (filter.action !== undefined) {
    // `key` stands for everything that was done to keys.
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
