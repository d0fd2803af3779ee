import type { Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import { readByKey } from '../db/read-by-key.ts';
import { changesInOrder } from '../db/removals.ts';
import type { Schema } from '../db/schema.ts';
import type { Owner } from '../http/endpoint.ts';
import type { KeyChange, SetHead, SetSource } from '../platform/followed-sets.ts';
import { findEntry, findList } from './stored-list-store.ts';

/** Reads that load the in-memory membership and keep it current. An owner who has never listed a domain has no set. */
export interface MembershipStore extends SetSource<Owner, SetHead> {
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
      return row === undefined ? null : { generation: row.id, seq: row.last_seq, total: row.total };
    },
    entriesAfter: (_owner, head, seq, limit) => entriesAfter(db.read, head.generation, seq, limit),
    changesAfter: (owner, seq, limit) =>
      db.snapshot(async (trx) => {
        const list = await findList(trx, owner);
        if (list === undefined || list.pruned_through > seq) return null;
        return changesInOrder(
          await entriesAfter(trx, list.id, seq, limit),
          await removalsAfter(trx, list.id, seq, limit),
          db.secrets,
          limit,
        );
      }),
    contains: async (owner, domain) => (await findEntry(db, owner, domain)) !== null,
  };
}

async function entriesAfter(from: Db['read'], listId: number, seq: number, limit: number): Promise<KeyChange[]> {
  const entries = from.selectFrom('blocklist_entries').select(['seq', 'domain']).where('list_id', '=', listId);
  const rows = await entries.where('seq', '>', seq).orderBy('seq').limit(limit).execute();
  return rows.map((row) => ({ seq: row.seq, key: row.domain, untilMs: Number.POSITIVE_INFINITY }));
}

function removalsAfter(trx: Transaction<Schema>, listId: number, seq: number, limit: number) {
  const removals = trx.selectFrom('blocklist_removals').select(['seq', 'sealed_domain as sealed']);
  return removals.where('list_id', '=', listId).where('seq', '>', seq).orderBy('seq').limit(limit).execute();
}
