import { sql, type Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** A block of level 1 covers 256 numbers, a block of level 2 covers 256 blocks of level 1. */
const fanOut = 256;
const levels = [2, 1] as const;

const blockOf = (seq: number, level: number): number => Math.floor(seq / fanOut ** level);

/** Adds entries with these numbers to the block counts, or subtracts them if `by` is −1. */
export async function countEntries(
  trx: Transaction<Schema>,
  listId: number,
  seqs: readonly number[],
  by: 1 | -1,
): Promise<void> {
  const rows = levels.flatMap((level) => {
    const counts = new Map<number, number>();
    for (const seq of seqs) counts.set(blockOf(seq, level), (counts.get(blockOf(seq, level)) ?? 0) + by);
    return [...counts].map(([block, entries]) => ({ list_id: listId, level, block, entries }));
  });
  await trx
    .insertInto('blocklist_counts')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['list_id', 'level', 'block'])
        .doUpdateSet((row) => ({ entries: row('blocklist_counts.entries', '+', row.ref('excluded.entries')) })),
    )
    .execute();
  if (by === 1) return;
  for (const { level, block } of rows) {
    await trx
      .deleteFrom('blocklist_counts')
      .where('list_id', '=', listId)
      .where('level', '=', level)
      .where('block', '=', block)
      .where('entries', '=', 0)
      .execute();
  }
}

/**
 * Finds the entry that has `skip` newer ones: it follows the returned `skip` (below 256) newest entries with numbers up to
 * `seq`. An OFFSET over the entries would read every skipped row. This sums a few hundred counts instead: first those of
 * the blocks of level 2, then those of level 1 inside the block that contains the entry.
 */
export async function positionOf(
  trx: Transaction<Schema>,
  listId: number,
  skip: number,
): Promise<{ seq: number; skip: number }> {
  if (skip < fanOut) return { seq: Number.MAX_SAFE_INTEGER, skip };
  let first = 0;
  let last = Number.MAX_SAFE_INTEGER;
  let left = skip;
  for (const level of levels) {
    // The database sums the counts and returns one row instead of hundreds.
    const { rows } = await sql<{ block: number; newer: number }>`
      select block, newer from (
        select block, entries, sum(entries) over (order by block desc) - entries as newer
        from blocklist_counts
        where list_id = ${listId} and level = ${level} and block between ${first} and ${last}
      ) as sums
      where newer <= ${left} and newer + entries > ${left}`.execute(trx);
    const [found] = rows;
    if (found === undefined) throw new Error(`blocklist ${listId} has no entry with ${skip} newer ones`);
    left -= found.newer;
    first = found.block * fanOut;
    last = first + fanOut - 1;
  }
  return { seq: last, skip: left };
}
