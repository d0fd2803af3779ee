import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { recordChange } from '../../db/changes.ts';
import { databaseClock } from '../../db/database-clock.ts';
import type { Db } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import { withParameters } from '../../db/with-parameters.ts';
import type { OnMonthsWritten } from '../usage-store.ts';

/** The topic under which a process asks the others for what they do not need of an account's credits; the scope is its id. */
export const creditsWantedTopic = 'credits-wanted';
/** The topic under which a process says that it has come. */
export const holdersTopic = 'credit-holders';

/** One account's month as a process counts it: everything since its first lease of the month, so that writing it twice changes nothing. */
export interface Spending {
  readonly accountId: string;
  readonly startMs: number;
  readonly endMs: number;
  /** The credits of the month by the plan of whoever used some last. */
  readonly limit: number;
  readonly spent: number;
  readonly granted: number;
  /** What of `spent` is known to be written; counts only when the database has forgotten the lease. */
  readonly written: number;
}

/** What came of asking for more. */
export interface Lease {
  /** What may be spent besides what was granted before; 0 when there is not as much as needed. */
  readonly more: number;
  /** Spent by all processes, as far as it is written. */
  readonly used: number;
  /** What other processes hold and may give back. */
  readonly elsewhere: number;
}

/** Credits that processes hold in advance, in the database. */
export interface LeaseStore {
  /**
   * Writes what was spent and takes a slice of what is left of `limit`, at least `needed` of it. When there is too little, the
   * other processes are asked for theirs.
   */
  take(spending: Spending, limit: number, needed: number): Promise<Lease>;
  /** Writes what was spent and what is still held; what all processes have spent together, in the same order. */
  write(spendings: readonly Spending[]): Promise<number[]>;
  /** Spent by all processes in one month. */
  used(accountId: string, startMs: number): Promise<number>;
  /** Says that this process is alive, and forgets those that have not been for a day; how many processes live. */
  beat(): Promise<number>;
  /** Gives everything back: this process ends. */
  leave(): Promise<void>;
  /** Gives back what another process held, of which it is certain that it is dead and nothing of it is still being written. */
  bury(holder: string): Promise<void>;
}

/** A process that was not heard of for so long is taken for dead, and what it held for unspent. */
const deadAfterMs = 60_000;
const forgottenAfterMs = 86_400_000;
/** Who has just said that it lives need not say so with every lease: all of its leases would wait for each other at that row. */
const knownAliveMs = 20_000;
/** The least that is taken at a time, so that the last credits do not cost a transaction each. */
const leastSlice = 16;

/** Leases of the process that is called `holder`; `onWritten` is told of every month that is written. */
export function createLeaseStore(
  db: Db,
  holder: string,
  now: () => number,
  onWritten: OnMonthsWritten = async () => {},
): LeaseStore {
  const write = createWrite(db, holder);
  let beatAtMs = Number.NEGATIVE_INFINITY;
  /** By the clock that goes on while the machine sleeps. */
  const isKnownAlive = (): boolean => now() >= beatAtMs && now() < beatAtMs + knownAliveMs;
  const sayAlive = async (trx: Transaction<Schema>): Promise<void> => {
    await beat(trx, db.engine, holder);
    if (beatAtMs === Number.NEGATIVE_INFINITY) await recordChange(trx, holdersTopic, '', now());
  };
  const writeAndTell = async (trx: Transaction<Schema>, spendings: readonly Spending[]): Promise<number[]> => {
    const totals = await write(trx, spendings);
    const months = spendings.map(({ accountId, startMs, endMs, limit, spent, written }, index) => {
      const used = totals[index] ?? 0;
      return { accountId, startMs, endMs, limit, usedBefore: used - (spent - written), used };
    });
    await onWritten(trx, months);
    return totals;
  };
  return {
    async take(spending, limit, needed) {
      const startedMs = now();
      const beats = !isKnownAlive();
      const lease = await db.transaction(async (trx) => {
        // Holds the month's row until the transaction ends: whoever asks at the same time sees what this one took.
        const [used = 0] = await writeAndTell(trx, [spending]);
        if (beats) await sayAlive(trx);
        const { holders, unspent, elsewhere } = await held(trx, db.engine, holder, spending);
        const more = sliceOf(Math.max(0, limit - used - unspent), needed, holders);
        if (more > 0) await write(trx, [{ ...spending, granted: spending.granted + more }]);
        else if (elsewhere > 0) await recordChange(trx, creditsWantedTopic, spending.accountId, now());
        return { more, used, elsewhere };
      });
      if (beats) beatAtMs = startedMs;
      return lease;
    },
    write: (spendings) => db.transaction((trx) => writeAndTell(trx, spendings)),
    async used(accountId, startMs) {
      const row = await db.read
        .selectFrom('usage')
        .select('used')
        .where('account_id', '=', accountId)
        .where('cycle_start', '=', startMs)
        .executeTakeFirst();
      return row?.used ?? 0;
    },
    async beat() {
      const startedMs = now();
      const living = await db.transaction(async (trx) => {
        await sayAlive(trx);
        const gone = trx
          .selectFrom('instances')
          .select('id')
          .where('seen_at', '<', sql<number>`${databaseClock(db.engine)} - ${sql.lit(forgottenAfterMs)}`);
        await trx.deleteFrom('credit_leases').where('holder', 'in', gone).execute();
        await trx.deleteFrom('instances').where('id', 'in', gone).execute();
        const { count } = await trx
          .selectFrom('instances')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where(isLiving(db.engine))
          .executeTakeFirstOrThrow();
        return count;
      });
      beatAtMs = startedMs;
      return living;
    },
    leave: () => letGo(db, holder),
    bury: (dead) => letGo(db, dead),
  };
}

function letGo(db: Db, holder: string): Promise<void> {
  return db.transaction(async (trx) => {
    await trx.deleteFrom('credit_leases').where('holder', '=', holder).execute();
    await trx.deleteFrom('instances').where('id', '=', holder).execute();
  });
}

/** A share of what is left that leaves as much for every other holder, and half of it for those to come. */
function sliceOf(left: number, needed: number, holders: number): number {
  if (left < needed) return 0;
  return Math.min(left, Math.max(needed, leastSlice, Math.ceil(left / (2 * holders))));
}

async function beat(trx: Transaction<Schema>, engine: Db['engine'], holder: string): Promise<void> {
  await sql`insert into instances (id, seen_at) values (${holder}, ${databaseClock(engine)})
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(trx);
}

function isLiving(engine: Db['engine']): RawBuilder<SqlBool> {
  return sql<SqlBool>`instances.seen_at >= ${databaseClock(engine)} - ${sql.lit(deadAfterMs)}`;
}

/** What processes that live hold and have not spent. */
async function held(
  trx: Transaction<Schema>,
  engine: Db['engine'],
  holder: string,
  { accountId, startMs }: Spending,
): Promise<{ holders: number; unspent: number; elsewhere: number }> {
  const rows = await trx
    .selectFrom('instances')
    .leftJoin('credit_leases', (join) =>
      join
        .onRef('credit_leases.holder', '=', 'instances.id')
        .on('credit_leases.account_id', '=', accountId)
        .on('credit_leases.cycle_start', '=', startMs),
    )
    .select(['instances.id', 'credit_leases.granted', 'credit_leases.spent'])
    .where(({ eb, or }) => or([eb('instances.id', '=', holder), isLiving(engine)]))
    .execute();
  const unspent = (some: typeof rows): number =>
    some.reduce((sum, row) => sum + Math.max(0, (row.granted ?? 0) - (row.spent ?? 0)), 0);
  return { holders: rows.length, unspent: unspent(rows), elsewhere: unspent(rows.filter(({ id }) => id !== holder)) };
}

/** What was spent by all processes after some of it was written, in the order of what was written. */
type Write = (trx: Transaction<Schema>, spendings: readonly Spending[]) => Promise<number[]>;

/** Writes what was spent and is held, by statements that are built once: many accounts come at a time, and often. */
function createWrite(db: Db, holder: string): Write {
  return db.engine === 'postgres' ? writeToPostgres(db, holder) : writeToSqlite(db, holder);
}

function asJson(spendings: readonly Spending[]): string {
  return JSON.stringify(spendings.map((one) => [one.accountId, one.startMs, one.spent, one.written, one.granted]));
}

/** Of a change, what its holder has spent since it was last written. A subquery, so that each is found by its key, however many there are. */
function spentSince(holder: string): RawBuilder<number> {
  return sql`spent - coalesce((
    select spent from credit_leases lease
    where lease.account_id = change.account_id and lease.cycle_start = change.cycle_start and holder = ${holder}
  ), written)`;
}

/** One statement with one row for an answer, so that this process need not read a row for each account. */
function writeToPostgres({ read }: Db, holder: string): Write {
  // Rows are locked in one order everywhere: two processes that lock the same ones must not wait for each other.
  const write = sql<{ totals: number[] }>`
    with change as materialized (
      select position, value->>0 as account_id, (value->>1)::bigint as cycle_start, (value->>2)::bigint as spent,
        (value->>3)::bigint as written, (value->>4)::bigint as granted
      from json_array_elements(${''}::json) with ordinality as list (value, position)
    ), added as (
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
  return async (trx, spendings) => {
    const { rows } = await trx.executeQuery(withParameters(write, asJson(spendings), holder, holder));
    return rows[0]?.totals ?? [];
  };
}

function writeToSqlite({ read }: Db, holder: string): Write {
  const change = sql`select value->>0 as account_id, value->>1 as cycle_start, value->>2 as spent, value->>3 as written,
    value->>4 as granted from json_each(${''})`;
  const addSpent = sql<Schema['usage']>`
    insert into usage (account_id, cycle_start, used)
    select account_id, cycle_start, ${spentSince(holder)} from (${change}) change
    where true
    on conflict (account_id, cycle_start) do update set used = usage.used + excluded.used
    returning account_id, cycle_start, used`.compile(read);
  const keep = sql`
    insert into credit_leases (account_id, cycle_start, holder, granted, spent)
    select account_id, cycle_start, ${holder}, granted, spent from (${change}) change where true
    on conflict (account_id, cycle_start, holder) do update set granted = excluded.granted, spent = excluded.spent`.compile(
    read,
  );
  return async (trx, spendings) => {
    const values = asJson(spendings);
    const { rows } = await trx.executeQuery(withParameters(addSpent, holder, values));
    await trx.executeQuery(withParameters(keep, holder, values));
    const totals = new Map(rows.map((row) => [`${row.account_id} ${row.cycle_start}`, row.used]));
    return spendings.map(({ accountId, startMs }) => totals.get(`${accountId} ${startMs}`) ?? 0);
  };
}
