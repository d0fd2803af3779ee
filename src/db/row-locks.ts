import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from './db.ts';

/**
 * How strongly rows are held until the transaction ends, in PostgreSQL's terms. `key share` only keeps them from being
 * removed; `no key update` lets others take that; `update` lets others take nothing.
 */
export type RowLock = 'key share' | 'no key update' | 'update';

/** Makes a query lock the rows it reads. SQLite has one writer, and its transaction holds every row without asking. */
export function lockRows<DB, Tables extends keyof DB, Row>(
  { engine }: Pick<Db, 'engine'>,
  query: SelectQueryBuilder<DB, Tables, Row>,
  lock: RowLock,
): SelectQueryBuilder<DB, Tables, Row> {
  if (engine === 'sqlite') return query;
  if (lock === 'update') return query.forUpdate();
  return lock === 'no key update' ? query.forNoKeyUpdate() : query.forKeyShare();
}

/** Ends a subquery that takes rows to work on: locks them and skips those another process has locked. */
export function lockAndSkipLocked({ engine }: Pick<Db, 'engine'>): RawBuilder<unknown> {
  return engine === 'sqlite' ? sql`` : sql`for update skip locked`;
}
