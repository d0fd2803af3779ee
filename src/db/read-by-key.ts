import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { createBatchLoader } from '../platform/batch-loader.ts';
import type { Db } from './db.ts';
import { withParameters } from './with-parameters.ts';

/**
 * Reads rows by a key, with a query that is compiled once and has no other parameter. `build` compares the key's column with its
 * argument, and `keyOf` reads the key from a row. SQLite returns without a promise; on PostgreSQL, keys that are needed at
 * the same time share one query.
 */
export function readByKey<Row>(
  db: Db,
  build: (key: RawBuilder<string>) => { compile(): CompiledQuery<Row> },
  keyOf: (row: Row) => string,
): (key: string) => Row[] | Promise<Row[]> {
  if (db.engine === 'sqlite') {
    const one = build(sql<string>`${''}`).compile();
    return (key) => db.readCompiled(withParameters(one, key));
  }
  const several = build(sql<string>`any(${''}::text[])`).compile();
  return createBatchLoader(async (keys) => {
    const rows = Map.groupBy(await db.readCompiled(withParameters(several, keys)), keyOf);
    return keys.map((key) => rows.get(key) ?? []);
  });
}
