import type { CompiledQuery } from 'kysely';

/** A compiled query with other values. Building a query takes several times as long as running it on the embedded database. */
export function withParameters<Row>(query: CompiledQuery<Row>, ...parameters: readonly unknown[]): CompiledQuery<Row> {
  return { ...query, parameters };
}
