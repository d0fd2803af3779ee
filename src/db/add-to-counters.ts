import { sql, type Transaction } from 'kysely';
import { chunksOf } from '../platform/chunks-of.ts';
import type { Db } from './db.ts';
import { type ColumnTypes, type PassedRow, rowsParameter } from './rows.ts';
import type { Schema } from './schema.ts';
import { withParameters } from './with-parameters.ts';

const rowsPerStatement = 500;

/**
 * Adds rows to those with the same key, in their order: columns of `latest` are replaced, the others added up. A key may occur once.
 * The statement is compiled once: building it takes longer than running it.
 */
export function createAddToCounters<const Columns extends ColumnTypes>(
  db: Db,
  table: keyof Schema & string,
  columns: Columns,
  { key, latest = [] }: { readonly key: readonly (keyof Columns)[]; readonly latest?: readonly (keyof Columns)[] },
): (trx: Transaction<Schema>, rows: readonly PassedRow<Columns>[]) => Promise<void> {
  const passed = rowsParameter(db, columns);
  const names = Object.keys(columns);
  const updates = names
    .filter((name) => !key.includes(name))
    .map((name) => `${name} = ${latest.includes(name) ? '' : `${table}.${name} + `}excluded.${name}`);
  const add = sql`insert into ${sql.table(table)} (${sql.raw(names.join())})
    select ${sql.raw(names.join())} from ${passed.table()} counted where true order by position
    on conflict (${sql.raw(key.join())}) do update set ${sql.raw(updates.join())}`.compile(db.read);
  return async (trx, rows) => {
    for (const some of chunksOf(rows, rowsPerStatement))
      await trx.executeQuery(withParameters(add, passed.encode(some)));
  };
}
