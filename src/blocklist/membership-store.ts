import type { Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import { readByKey } from '../db/read-by-key.ts';
import type { Schema } from '../db/schema.ts';
import type { Owner } from '../http/endpoint.ts';
import { findEntry, findList } from './stored-list-store.ts';

/** An addition or removal, by the number that orders them. */
export interface ListChange {
  readonly seq: number;
  readonly domain: string;
  readonly listed: boolean;
}

/** Where a list stands: `seq` is the number of its last change. */
export interface ListHead {
  readonly id: number;
  readonly seq: number;
  readonly total: number;
}

/** What membership in memory is made from and kept up to date with. */
export interface MembershipStore {
  /** Null while nothing was ever listed. */
  head(owner: Owner): Promise<ListHead | null>;
  /** Entries after a number, in order. */
  entriesAfter(listId: number, seq: number, limit: number): Promise<{ seq: number; domain: string }[]>;
  /**
   * What changed after a number, in order; an addition that was undone since is left out.
   * Null when removals after that number are forgotten already.
   */
  changesAfter(owner: Owner, seq: number, limit: number): Promise<ListChange[] | null>;
  /** The answer of the database itself. */
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
        return list.pruned_through > seq ? null : readChanges(trx, list.id, seq, limit);
      }),
    contains: async (owner, domain) => (await findEntry(db, owner, domain)) !== null,
  };
}

async function readChanges(trx: Transaction<Schema>, listId: number, seq: number, limit: number) {
  const after = async (table: 'blocklist_entries' | 'blocklist_removals'): Promise<ListChange[]> => {
    const rows = await trx
      .selectFrom(table)
      .select(['seq', 'domain'])
      .where('list_id', '=', listId)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...row, listed: table === 'blocklist_entries' }));
  };
  const changes = [...(await after('blocklist_entries')), ...(await after('blocklist_removals'))];
  // Beyond the limit one of the two may be incomplete, so only that many are taken.
  return changes.sort((one, other) => one.seq - other.seq).slice(0, limit);
}
