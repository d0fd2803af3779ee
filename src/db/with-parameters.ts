import type { CompiledQuery } from 'kysely';

/**
 * A query that was built and compiled once, for other values. To build a query takes several times as long as to run it on
 * the embedded database: what is asked often is built once.
 */
export function withParameters<Row>(query: CompiledQuery<Row>, ...parameters: readonly unknown[]): CompiledQuery<Row> {
  return { ...query, parameters };
}
