import type { Db } from '../db/db.ts';
import type { Owner } from '../http/endpoint.ts';
import type { ListKind } from '../list-kind.ts';
import type { KeyChange } from './custom-list.ts';
import { ownLists } from './custom-lists-store.ts';

/** The current state of a list: `seq` is the number of its last change. */
export interface ListHead {
  readonly id: string;
  readonly kind: ListKind;
  readonly seq: number;
  readonly total: number;
}

/** Reads that load lists into memory and keep them current. */
export interface ListMembershipStore {
  /** The owner's lists, by id. */
  heads(owner: Owner): Promise<ReadonlyMap<string, ListHead>>;
  /** Entries with a number above `seq`, in order of their numbers. */
  entriesAfter(listId: string, seq: number, limit: number): Promise<KeyChange[]>;
  /**
   * Changes with a number above `seq`, in order, without additions that were removed since. Null when removals after that
   * number have been pruned, or were encrypted with another key.
   */
  changesAfter(listId: string, seq: number, limit: number): Promise<KeyChange[] | null>;
}

export function createListMembershipStore(db: Db): ListMembershipStore {
  const entriesAfter = async (from: Db['read'], listId: string, seq: number, limit: number): Promise<KeyChange[]> => {
    const rows = await from
      .selectFrom('custom_list_entries')
      .select(['seq', 'key', 'expires_at'])
      .where('list_id', '=', listId)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map(({ seq: no, key, expires_at }) => ({ seq: no, key, change: { expiresAtMs: expires_at } }));
  };
  return {
    async heads(owner) {
      const rows = await ownLists(db.read, owner).execute();
      return new Map(
        rows.map(({ id, kind, last_seq, total }) => [id, { id, kind: kind as ListKind, seq: last_seq, total }]),
      );
    },
    entriesAfter: (listId, seq, limit) => entriesAfter(db.read, listId, seq, limit),
    changesAfter: (listId, seq, limit) =>
      db.snapshot(async (trx) => {
        const lists = trx.selectFrom('custom_lists').select(['pruned_through']).where('id', '=', listId);
        const list = await lists.executeTakeFirst();
        if (list === undefined || list.pruned_through > seq) return null;
        const changes = await entriesAfter(trx, listId, seq, limit);
        const removals = trx.selectFrom('custom_list_removals').select(['seq', 'sealed_key']);
        const rows = await removals
          .where('list_id', '=', listId)
          .where('seq', '>', seq)
          .orderBy('seq')
          .limit(limit)
          .execute();
        for (const { seq: no, sealed_key } of rows) {
          const key = db.secrets.open(sealed_key);
          if (key === null) return null;
          changes.push({ seq: no, key, change: 'removed' });
        }
        // Beyond the limit one of the two results may be incomplete, so return only the first `limit` changes.
        return changes.sort((one, other) => one.seq - other.seq).slice(0, limit);
      }),
  };
}
