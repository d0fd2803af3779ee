import { type RawBuilder, sql } from 'kysely';
import type { Engine } from './migrate.ts';

/** The time in epoch milliseconds by the clock that all processes share. */
export function databaseClock(engine: Engine): RawBuilder<number> {
  return engine === 'postgres'
    ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql`cast(unixepoch('subsec') * 1000 as integer)`;
}
