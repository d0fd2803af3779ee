import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { databaseClock } from '../../db/database-clock.ts';
import type { Db } from '../../db/db.ts';
import { type PassedRow, type RowsParameter, rowsParameter } from '../../db/rows.ts';
import type { Schema } from '../../db/schema.ts';
import { withParameters } from '../../db/with-parameters.ts';

/**
 * What a process was granted of an account's month and what it spent of that, both since its first lease of the month, so that
 * writing it twice changes nothing.
 */
export interface CreditLeaseRow {
  readonly accountId: string;
  readonly startMs: number;
  readonly spent: number;
  readonly granted: number;
  /** What of `spent` is known to be written; counts only when the database has forgotten the lease. */
  readonly written: number;
}

/** What other processes that live hold of a month. */
export interface HeldByOthers {
  /** How many processes live besides this one. */
  readonly others: number;
  /** What they hold and have not spent. */
  readonly unspent: number;
}

/** Leases as rows, of many months at a time and each named once; answers are in the order of what was asked. */
export interface CreditLeaseRowsStore {
  /** Writes what was spent and is held; what all processes have spent together. */
  write(trx: Transaction<Schema>, rows: readonly CreditLeaseRow[]): Promise<number[]>;
  heldByOthers(trx: Transaction<Schema>, rows: readonly CreditLeaseRow[]): Promise<HeldByOthers[]>;
}

type WriteRows = (trx: Transaction<Schema>, rows: readonly CreditLeaseRow[]) => Promise<(number | undefined)[]>;

/** A process that was not heard of for so long is taken for dead, and what it held for unspent. */
const deadAfterMs = 60_000;

/** Whether a row of `instances` is of a process that lives. */
export function isLiving(engine: Db['engine']): RawBuilder<SqlBool> {
  return sql<SqlBool>`instances.seen_at >= ${databaseClock(engine)} - ${sql.lit(deadAfterMs)}`;
}

/** Leases of the process that is called `holder`, by statements that are built once: many accounts come at a time, and often. */
export function createCreditLeaseRowsStore(db: Db, holder: string): CreditLeaseRowsStore {
  const changes = rowsParameter(db, changeColumns);
  const write = db.engine === 'postgres' ? writeToPostgres(db, changes, holder) : writeToSqlite(db, changes, holder);
  const readHeld = readHeldByOthers(db, changes, holder);
  return {
    write: async (trx, rows) => (rows.length === 0 ? [] : oneForEach(rows, await write(trx, rows))),
    heldByOthers: async (trx, rows) => oneForEach(rows, await readHeld(trx, rows)),
  };
}

/** A month without an answer must not count as one of which nothing is spent or held: its credits would be granted twice. */
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

/** Of a change, what its holder has spent since it was last written. A subquery, so that each is found by its key, however many there are. */
function spentSince(holder: string): RawBuilder<number> {
  return sql`spent - coalesce((
    select spent from credit_leases lease
    where lease.account_id = change.account_id and lease.cycle_start = change.cycle_start and holder = ${holder}
  ), written)`;
}

/** One statement with one row for an answer, so that this process need not read a row for each account. */
function writeToPostgres({ read }: Db, changes: ChangeRows, holder: string): WriteRows {
  // Rows are locked in one order everywhere: two processes that lock the same ones must not wait for each other.
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
  // By subqueries, so that each is found by its key. A PostgreSQL that joins cannot know how few there are, prepares for
  // many, and takes half a second for that.
  const query = sql<HeldByOthers>`
    select (select count(*) from instances where id <> ${holder} and ${isLiving(engine)}) as others, coalesce((
      select sum(lease.granted - lease.spent) from credit_leases lease join instances on instances.id = lease.holder
      where lease.account_id = change.account_id and lease.cycle_start = change.cycle_start
        and lease.granted > lease.spent and lease.holder <> ${holder} and ${isLiving(engine)}
    ), 0) as unspent
    from ${changes.table()} change
    order by position`.compile(read);
  return async (trx, months) => {
    const values = changes.encode(months.map(toChange));
    return (await trx.executeQuery(withParameters(query, holder, holder, values))).rows;
  };
}
