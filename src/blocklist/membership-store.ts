import type { Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import { readByKey } from '../db/read-by-key.ts';
import type { Schema } from '../db/schema.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { Owner } from '../http/endpoint.ts';
import { findEntry, findList } from './stored-list-store.ts';

/** An addition or removal; `seq` orders them. */
export interface ListChange {
  readonly seq: number;
  readonly domain: string;
  readonly listed: boolean;
}

/** The current state of a list: `seq` is the number of its last change. */
export interface ListHead {
  readonly id: number;
  readonly seq: number;
  readonly total: number;
}

/** Reads that load the in-memory membership and keep it current. */
export interface MembershipStore {
  /** Null if the owner has never listed a domain. */
  head(owner: Owner): Promise<ListHead | null>;
  /** Entries with a number above `seq`, in order. */
  entriesAfter(listId: number, seq: number, limit: number): Promise<{ seq: number; domain: string }[]>;
  /**
   * Changes with a number above `seq`, in order, without additions that were removed since.
   * Null when removals after that number have been pruned, or were encrypted with another key.
   */
  changesAfter(owner: Owner, seq: number, limit: number): Promise<ListChange[] | null>;
  /** Queries the database. */
  contains(owner: Owner, domain: string): Promise<boolean>;
}

export function createMembershipStore(db: Db): MembershipStore {
  const ofAccount = readByKey(
    db,
    (accountId) => db.read.selectFrom('blocklists').selectAll().where('account_id', '=', accountId),
    (row) => row.account_id,
  );
  return {
    async head({ accountId, environment }) {
      const row = (await ofAccount(accountId)).find((list) => list.environment === environment);
      return row === undefined ? null : { id: row.id, seq: row.last_seq, total: row.total };
    },
    entriesAfter: (listId, seq, limit) =>
      db.read
        .selectFrom('blocklist_entries')
        .select(['seq', 'domain'])
        .where('list_id', '=', listId)
        .where('seq', '>', seq)
        .orderBy('seq')
        .limit(limit)
        .execute(),
    changesAfter: (owner, seq, limit) =>
      db.snapshot(async (trx) => {
        const list = await findList(trx, owner);
        if (list === undefined || list.last_seq <= seq) return [];
        return list.pruned_through > seq ? null : readChanges(trx, db.secrets, list.id, seq, limit);
      }),
    contains: async (owner, domain) => (await findEntry(db, owner, domain)) !== null,
  };
}

async function readChanges(
  trx: Transaction<Schema>,
  secrets: SecretBox,
  listId: number,
  seq: number,
  limit: number,
): Promise<ListChange[] | null> {
  const entries = trx.selectFrom('blocklist_entries').select(['seq', 'domain']).where('list_id', '=', listId);
  const removals = trx.selectFrom('blocklist_removals').select(['seq', 'sealed_domain']).where('list_id', '=', listId);
  const added = await entries.where('seq', '>', seq).orderBy('seq').limit(limit).execute();
  const removed = await removals.where('seq', '>', seq).orderBy('seq').limit(limit).execute();
  const changes: ListChange[] = added.map((row) => ({ ...row, listed: true }));
  for (const { seq: no, sealed_domain: sealed } of removed) {
    const domain = secrets.open(sealed);
    if (domain === null) return null;
    changes.push({ seq: no, domain, listed: false });
  }
  // Beyond the limit one of the two results may be incomplete, so return only the first `limit` changes.
  return changes.sort((one, other) => one.seq - other.seq).slice(0, limit);
}
