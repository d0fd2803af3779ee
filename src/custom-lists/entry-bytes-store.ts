import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';

/** The stored columns of an entry besides its texts, in bytes. */
const entryOverhead = 100;

type EntryTexts = Pick<Schema['custom_list_entries'], 'key' | 'value' | 'note'>;

/** The size of a stored entry, as a column of a query. */
export const storedBytes = sql<number>`octet_length(key) + octet_length(coalesce(value, ''))
  + octet_length(coalesce(note, '')) + ${sql.lit(entryOverhead)}`.as('bytes');

/** The size of an entry that is to be stored. */
export function bytesOf({ key, value, note }: EntryTexts): number {
  return Buffer.byteLength(key) + Buffer.byteLength(value ?? '') + Buffer.byteLength(note ?? '') + entryOverhead;
}

/** The sum of sizes; PostgreSQL returns some numbers as text. */
export function totalBytes(rows: Iterable<{ readonly bytes: number }>): number {
  let total = 0;
  for (const { bytes } of rows) total += Number(bytes);
  return total;
}

/** The size of all entries of an account. */
export async function accountBytes(from: Db['read'], accountId: string): Promise<number> {
  const lists = from.selectFrom('custom_lists').select('bytes').where('account_id', '=', accountId);
  return totalBytes(await lists.execute());
}
