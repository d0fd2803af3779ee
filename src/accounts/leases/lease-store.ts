import { sql, type Transaction } from 'kysely';
import { recordChange } from '../../db/changes.ts';
import { databaseClock } from '../../db/database-clock.ts';
import type { Db } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import type { OnMonthsWritten } from '../usage-store.ts';
import { createLeaseRowsStore, type HeldByOthers, isLiving, type LeaseRow } from './lease-rows-store.ts';

/** The topic under which a process asks the others for what they do not need of an account's credits; the scope is its id. */
export const creditsWantedTopic = 'credits-wanted';
/** The topic under which a process says that it has come. */
export const holdersTopic = 'credit-holders';

/** One account's month as a process counts it. */
export interface Spending extends LeaseRow {
  readonly endMs: number;
  /** The credits of the month by the plan of whoever used some last. */
  readonly limit: number;
}

/** A wish for at least `needed` of what is left of `limit`. */
export interface Wish {
  readonly spending: Spending;
  readonly limit: number;
  readonly needed: number;
}

/** What came of a wish. */
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
   * Writes what was spent and takes slices of what is left, of several months, each named once; the answers are in the same
   * order. Where there is too little, the other processes are asked for theirs.
   */
  take(wishes: readonly Wish[]): Promise<Lease[]>;
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
  const rows = createLeaseRowsStore(db, holder);
  let beatAtMs = Number.NEGATIVE_INFINITY;
  /** By the clock that goes on while the machine sleeps. */
  const isKnownAlive = (): boolean => now() >= beatAtMs && now() < beatAtMs + knownAliveMs;
  const sayAlive = async (trx: Transaction<Schema>): Promise<void> => {
    await beat(trx, db.engine, holder);
    if (beatAtMs === Number.NEGATIVE_INFINITY) await recordChange(trx, holdersTopic, '', now());
  };
  const writeAndTell = async (trx: Transaction<Schema>, spendings: readonly Spending[]): Promise<number[]> => {
    const totals = await rows.write(trx, spendings);
    const months = spendings.map(({ accountId, startMs, endMs, limit, spent, written }, index) => {
      const used = totals[index] as number;
      return { accountId, startMs, endMs, limit, usedBefore: used - (spent - written), used };
    });
    await onWritten(trx, months);
    return totals;
  };
  return {
    async take(wishes) {
      const startedMs = now();
      const beats = !isKnownAlive();
      const spendings = wishes.map(({ spending }) => spending);
      const taken = await db.transaction(async (trx) => {
        // Holds the months' rows until the transaction ends: whoever asks at the same time sees what this one took.
        const totals = await writeAndTell(trx, spendings);
        if (beats) await sayAlive(trx);
        const held = await rows.heldByOthers(trx, spendings);
        const leases = wishes.map((wish, index) => leaseOf(wish, totals[index] as number, held[index] as HeldByOthers));
        await rows.write(
          trx,
          leases
            .filter(({ more }) => more > 0)
            .map(({ spending, more }) => ({ ...spending, granted: spending.granted + more })),
        );
        for (const accountId of wantedFromOthers(leases)) await recordChange(trx, creditsWantedTopic, accountId, now());
        return leases;
      });
      if (beats) beatAtMs = startedMs;
      return taken;
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

/** What is granted of a month of which all processes have spent `used`, and of which the others hold some besides. */
function leaseOf({ spending, limit, needed }: Wish, used: number, { others, unspent: elsewhere }: HeldByOthers) {
  const held = elsewhere + Math.max(0, spending.granted - spending.spent);
  return { spending, more: sliceOf(Math.max(0, limit - used - held), needed, others + 1), used, elsewhere };
}

/** The accounts of which only others have some, in one order everywhere, as with rows. */
function wantedFromOthers(leases: readonly ReturnType<typeof leaseOf>[]): string[] {
  const wanted = leases.filter(({ more, elsewhere }) => more === 0 && elsewhere > 0);
  return wanted.map(({ spending }) => spending.accountId).sort();
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
