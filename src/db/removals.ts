import { sql, type Transaction } from 'kysely';
import type { KeyChange } from '../platform/followed-sets.ts';
import type { Schema } from './schema.ts';
import type { SecretBox } from './secret-box.ts';

/** The stored removals of sets that processes follow; removed keys are encrypted. */
type RemovalsTable = 'blocklist_removals' | 'custom_list_removals';

/** How long removals are kept for other instances; an instance that is further behind reloads the set. */
const removalsKeptMs = 3_600_000;

/** The row of a set: removals up to `pruned_through` may have been pruned. */
interface PrunedSet {
  readonly id: string | number;
  readonly pruned_through: number;
}

/** Prunes up to `limit` old removals, a few with each new removal to spread the work; returns the last pruned number. */
export async function pruneRemovals(
  trx: Transaction<Schema>,
  table: RemovalsTable,
  { id, pruned_through }: PrunedSet,
  { limit, nowMs }: { readonly limit: number; readonly nowMs: number },
): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    delete from ${sql.table(table)} where list_id = ${id} and removed_at < ${nowMs - removalsKeptMs} and seq in (
      select seq from ${sql.table(table)} where list_id = ${id} order by seq limit ${limit})
    returning seq`.execute(trx);
  return rows.reduce((last, { seq }) => Math.max(last, seq), pruned_through);
}

/** A removal as it is stored. */
interface StoredRemoval {
  readonly seq: number;
  readonly sealed: string;
}

/**
 * Additions and removals by their numbers; null when a removal was encrypted with another key. Each has at most `limit` rows,
 * so that beyond the limit one of them may be incomplete.
 */
export function changesInOrder(
  additions: readonly KeyChange[],
  removals: readonly StoredRemoval[],
  secrets: SecretBox,
  limit: number,
): KeyChange[] | null {
  const changes = [...additions];
  for (const { seq, sealed } of removals) {
    const key = secrets.open(sealed);
    if (key === null) return null;
    changes.push({ seq, key, untilMs: 0 });
  }
  return changes.sort((one, other) => one.seq - other.seq).slice(0, limit);
}
