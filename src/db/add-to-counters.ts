import { sql, type Transaction } from 'kysely';
import { chunksOf } from '../platform/chunks-of.ts';
import type { Schema } from './schema.ts';

const rowsPerStatement = 500;

/** How rows are added to those with the same key. */
export interface CounterColumns<Row> {
  readonly key: readonly (keyof Row & string)[];
  /** Added up. */
  readonly sums: readonly (keyof Row & string)[];
  /** Replaced. */
  readonly latest?: readonly (keyof Row & string)[];
}

/** Adds to the counters of a table, which has no other columns. A key may occur once in `rows`. */
export async function addToCounters<Table extends keyof Schema & string>(
  trx: Transaction<Schema>,
  table: Table,
  rows: readonly Schema[Table][],
  { key, sums, latest = [] }: CounterColumns<Schema[Table]>,
): Promise<void> {
  const columns = [...key, ...sums, ...latest];
  const names = (of: readonly string[]) => sql.join(of.map((name) => sql.ref(name)));
  const updates = [
    ...sums.map((name) => sql.raw(`${name} = ${table}.${name} + excluded.${name}`)),
    ...latest.map((name) => sql.raw(`${name} = excluded.${name}`)),
  ];
  for (const some of chunksOf(rows, rowsPerStatement)) {
    const values = some.map((row) => sql`(${sql.join(columns.map((name) => row[name]))})`);
    await sql`insert into ${sql.table(table)} (${names(columns)}) values ${sql.join(values)}
      on conflict (${names(key)}) do update set ${sql.join(updates)}`.execute(trx);
  }
}
