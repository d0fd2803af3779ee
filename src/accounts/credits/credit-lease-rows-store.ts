import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { databaseClock } from '../../db/database-clock.ts';
import type { Db } from '../../db/db.ts';
import { type PassedRow, type RowsParameter, rowsParameter } from '../../db/rows.ts';
import type { Schema } from '../../db/schema.ts';
import { withParameters } from '../../db/with-parameters.ts';

/**
 * The credits of an account's month that were granted to a process and that it spent, both cumulative since its first lease of the
 * month, so that writes are idempotent.
 */
export interface CreditLeaseRow {
  readonly accountId: string;
  readonly startMs: number;
  readonly spent: number;
  readonly granted: number;
  /** The part of `spent` known to be written; used only when the database no longer has the lease. */
  readonly written: number;
}

/** Leases of a month that other living processes hold. */
export interface HeldByOthers {
  /** The number of other living processes. */
  readonly others: number;
  /** The credits that they hold and have not spent. */
  readonly unspent: number;
}

/** Leases as rows. Each method takes many months, each once, and returns results in the same order. */
export interface CreditLeaseRowsStore {
  /** Writes spent and granted credits; resolves to the credits that all processes have spent. */
  write(trx: Transaction<Schema>, rows: readonly CreditLeaseRow[]): Promise<number[]>;
  heldByOthers(trx: Transaction<Schema>, rows: readonly CreditLeaseRow[]): Promise<HeldByOthers[]>;
}

type WriteRows = (trx: Transaction<Schema>, rows: readonly CreditLeaseRow[]) => Promise<(number | undefined)[]>;

/** A process without a heartbeat for this long counts as dead, and its unspent credits are free again. */
const heartbeatTtlMs = 60_000;

/** Whether a row of `instances` belongs to a living process. */
export function isAlive(engine: Db['engine']): RawBuilder<SqlBool> {
  return sql<SqlBool>`instances.seen_at >= ${databaseClock(engine)} - ${sql.lit(heartbeatTtlMs)}`;
}

/** Leases of the process named `holder`. The statements are compiled once, because each flush runs them for many accounts. */
export function createCreditLeaseRowsStore(db: Db, holder: string): CreditLeaseRowsStore {
  const changes = rowsParameter(db, changeColumns);
  const write = db.engine === 'postgres' ? writeToPostgres(db, changes, holder) : writeToSqlite(db, changes, holder);
  const readHeld = readHeldByOthers(db, changes, holder);
  return {
    write: async (trx, rows) => (rows.length === 0 ? [] : oneForEach(rows, await write(trx, rows))),
    heldByOthers: async (trx, rows) => oneForEach(rows, await readHeld(trx, rows)),
  };
}

/** A month without a result must not count as unused: its credits would be granted twice. */
function oneForEach<T>(rows: readonly CreditLeaseRow[], answers: readonly (T | undefined)[]): T[] {
  const known = answers.filter((answer) => answer !== undefined);
  if (known.length === rows.length) return known;
  throw new Error(`The database answered for ${known.length} of ${rows.length} months, so no credits are granted.`);
}

const changeColumns = {
  account_id: 'text',
  cycle_start: 'bigint',
  spent: 'bigint',
  written: 'bigint',
  granted: 'bigint',
} as const;
type ChangeRows = RowsParameter<typeof changeColumns>;

function toChange({ accountId, startMs, spent, written, granted }: CreditLeaseRow): PassedRow<typeof changeColumns> {
  return { account_id: accountId, cycle_start: startMs, spent, written, granted };
}

/** The credits that a change's holder has spent since the last write. A subquery, so that each lease is found by its key. */
function spentSince(holder: string): RawBuilder<number> {
  return sql`spent - coalesce((
    select spent from credit_leases lease
    where lease.account_id = change.account_id and lease.cycle_start = change.cycle_start and holder = ${holder}
  ), written)`;
}

/** One statement with a one-row result, so that this process does not parse a row for each account. */
function writeToPostgres({ read }: Db, changes: ChangeRows, holder: string): WriteRows {
  // Every transaction locks rows in the same order, so that two processes cannot deadlock.
  const write = sql<{ totals: number[] }>`
    with change as materialized (select * from ${changes.table()} change), added as (
      insert into usage (account_id, cycle_start, used)
      select account_id, cycle_start, ${spentSince(holder)} from change
      order by 1, 2
      on conflict (account_id, cycle_start) do update set used = usage.used + excluded.used
      returning account_id, cycle_start, used
    ), kept as (
      insert into credit_leases (account_id, cycle_start, holder, granted, spent)
      select account_id, cycle_start, ${holder}, granted, spent from change
      on conflict (account_id, cycle_start, holder) do update set granted = excluded.granted, spent = excluded.spent
    )
    select json_agg(used order by position) as totals from change join added using (account_id, cycle_start)`.compile(
    read,
  );
  return async (trx, months) => {
    const values = changes.encode(months.map(toChange));
    const { rows } = await trx.executeQuery(withParameters(write, values, holder, holder));
    return rows[0]?.totals ?? [];
  };
}

function writeToSqlite({ read }: Db, changes: ChangeRows, holder: string): WriteRows {
  const addSpent = sql<Schema['usage']>`
    insert into usage (account_id, cycle_start, used)
    select account_id, cycle_start, ${spentSince(holder)} from ${changes.table()} change
    where true
    on conflict (account_id, cycle_start) do update set used = usage.used + excluded.used
    returning account_id, cycle_start, used`.compile(read);
  const keep = sql`
    insert into credit_leases (account_id, cycle_start, holder, granted, spent)
    select account_id, cycle_start, ${holder}, granted, spent from ${changes.table()} change where true
    on conflict (account_id, cycle_start, holder) do update set granted = excluded.granted, spent = excluded.spent`.compile(
    read,
  );
  return async (trx, months) => {
    const values = changes.encode(months.map(toChange));
    const { rows } = await trx.executeQuery(withParameters(addSpent, holder, values));
    await trx.executeQuery(withParameters(keep, holder, values));
    const totals = new Map(rows.map((row) => [`${row.account_id} ${row.cycle_start}`, row.used]));
    return months.map(({ accountId, startMs }) => totals.get(`${accountId} ${startMs}`));
  };
}

function readHeldByOthers(
  { engine, read }: Db,
  changes: ChangeRows,
  holder: string,
): CreditLeaseRowsStore['heldByOthers'] {
  // Subqueries find each lease by its key. For a join, PostgreSQL overestimates the number of rows and chooses a slow plan.
  const query = sql<HeldByOthers>`
    select (select count(*) from instances where id <> ${holder} and ${isAlive(engine)}) as others, coalesce((
      select sum(lease.granted - lease.spent) from credit_leases lease join instances on instances.id = lease.holder
      where lease.account_id = change.account_id and lease.cycle_start = change.cycle_start
        and lease.granted > lease.spent and lease.holder <> ${holder} and ${isAlive(engine)}
    ), 0) as unspent
    from ${changes.table()} change
    order by position`.compile(read);
  return async (trx, months) => {
    const values = changes.encode(months.map(toChange));
    return (await trx.executeQuery(withParameters(query, holder, holder, values))).rows;
  };
}
