import type { Db } from '../db/db.ts';
import { readByKey } from '../db/read-by-key.ts';
import { changesInOrder } from '../db/removals.ts';
import type { Owner } from '../http/endpoint.ts';
import type { ListKind } from '../list-kind.ts';
import type { KeyChange, SetHead, SetSource } from '../platform/followed-sets.ts';

/** A list of an owner. */
export interface ListRef {
  readonly owner: Owner;
  readonly listId: string;
}

export interface ListHead extends SetHead {
  readonly kind: ListKind;
}

/** Reads that load lists into memory and keep them current. */
export type ListMembershipStore = SetSource<ListRef, ListHead>;

export function createListMembershipStore(db: Db): ListMembershipStore {
  const ofAccount = readByKey(
    db,
    (accountId) => db.read.selectFrom('custom_lists').selectAll().where('account_id', '=', accountId),
    (row) => row.account_id,
  );
  return {
    async head({ owner, listId }) {
      const lists = await ofAccount(owner.accountId);
      const row = lists.find(({ id, environment }) => id === listId && environment === owner.environment);
      if (row === undefined) return null;
      return { kind: row.kind as ListKind, seq: row.last_seq, total: row.total, generation: row.created_at };
    },
    entriesAfter: ({ listId }, _head, seq, limit) => entriesAfter(db.read, listId, seq, limit),
    changesAfter: ({ listId }, seq, limit) =>
      db.snapshot(async (trx) => {
        const lists = trx.selectFrom('custom_lists').select('pruned_through').where('id', '=', listId);
        const list = await lists.executeTakeFirst();
        if (list === undefined || list.pruned_through > seq) return null;
        const removals = trx.selectFrom('custom_list_removals').select(['seq', 'sealed_key as sealed']);
        const later = removals.where('list_id', '=', listId).where('seq', '>', seq).orderBy('seq').limit(limit);
        return changesInOrder(await entriesAfter(trx, listId, seq, limit), await later.execute(), db.secrets, limit);
      }),
  };
}

async function entriesAfter(from: Db['read'], listId: string, seq: number, limit: number): Promise<KeyChange[]> {
  const entries = from.selectFrom('custom_list_entries').select(['seq', 'key', 'expires_at']);
  const later = entries.where('list_id', '=', listId).where('seq', '>', seq).orderBy('seq').limit(limit);
  return (await later.execute()).map((row) => ({
    seq: row.seq,
    key: row.key,
    untilMs: row.expires_at ?? Number.POSITIVE_INFINITY,
  }));
}
