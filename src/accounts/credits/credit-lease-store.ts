import { sql, type Transaction } from 'kysely';
import { recordChange } from '../../db/changes.ts';
import { databaseClock } from '../../db/database-clock.ts';
import type { Db } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import {
  type CreditLeaseRow,
  type CreditLeaseRowsStore,
  createCreditLeaseRowsStore,
  type HeldByOthers,
  isAlive,
} from './credit-lease-rows-store.ts';
import type { OnMonthsWritten } from './usage-store.ts';

/** Topic under which a process asks the others to release an account's unspent credits; the scope is the account id. */
export const creditsWantedTopic = 'credits-wanted';
/** Topic under which a process announces that it now holds leases. */
export const creditHoldersTopic = 'credit-holders';

/** One account's month as a process counts it. */
export interface Spending extends CreditLeaseRow {
  readonly endMs: number;
  /** The month's credits by the plan of the last request. */
  readonly limit: number;
}

/** Asks for at least `needed` of the credits left in `limit`. */
export interface LeaseRequest {
  readonly spending: Spending;
  readonly limit: number;
  readonly needed: number;
}

/** The answer to a lease request. */
export interface CreditLease {
  /** Credits granted in addition to earlier grants; 0 when fewer than needed are left. */
  readonly more: number;
  /** Credits that all processes have written as spent. */
  readonly used: number;
  /** Unspent credits that other processes hold and may release. */
  readonly heldByOthers: number;
}

/** Leases of credits in the database: a process holds some of a month's credits in advance. */
export interface CreditLeaseStore {
  /**
   * Writes spent credits and leases more, for several months, each named once; answers are in the same order. When only other
   * processes hold enough, asks them to release theirs.
   */
  acquire(requests: readonly LeaseRequest[]): Promise<CreditLease[]>;
  /** Writes spent and held credits; resolves to the totals of all processes, in the same order. */
  write(spendings: readonly Spending[]): Promise<number[]>;
  /** Credits that all processes have spent in one month. */
  used(accountId: string, startMs: number): Promise<number>;
  /** Records that this process is alive; the first time, removes processes without a heartbeat for a day. Resolves to the number of living ones. */
  heartbeat(): Promise<number>;
  /** Releases all leases of this process, which is about to exit. */
  releaseOwn(): Promise<void>;
  /** Releases the leases of a dead process. None of its writes may still be in progress. */
  releaseLeasesOf(holder: string): Promise<void>;
}

const removedAfterMs = 86_400_000;
/** Acquiring repeats the heartbeat only after this time: otherwise all acquisitions of a process would contend for its row. */
const heartbeatReuseMs = 20_000;
/** The smallest lease, so that the last credits of a month do not cost a transaction each. */
const smallestLease = 16;

/** Leases held by the process named `holder`; `onWritten` runs in the transaction that writes a month. */
export function createCreditLeaseStore(
  db: Db,
  holder: string,
  now: () => number,
  onWritten: OnMonthsWritten = async () => {},
): CreditLeaseStore {
  const rows = createCreditLeaseRowsStore(db, holder);
  let heartbeatAtMs = Number.NEGATIVE_INFINITY;
  let hasRemovedExpired = false;
  /** Uses the wall clock, which also advances while the machine is suspended. */
  const hasRecentHeartbeat = (): boolean => now() >= heartbeatAtMs && now() < heartbeatAtMs + heartbeatReuseMs;
  const recordHeartbeat = async (trx: Transaction<Schema>): Promise<void> => {
    await upsertHeartbeat(trx, db.engine, holder);
    if (heartbeatAtMs === Number.NEGATIVE_INFINITY) await recordChange(trx, creditHoldersTopic, '', now());
  };
  const writeAndNotify = async (trx: Transaction<Schema>, spendings: readonly Spending[]): Promise<number[]> => {
    const totals = await rows.write(trx, spendings);
    await onWritten(trx, writtenMonths(spendings, totals));
    return totals;
  };
  return {
    async acquire(requests) {
      const startedMs = now();
      const needsHeartbeat = !hasRecentHeartbeat();
      const leases = await db.transaction(async (trx) => {
        // Locks the months' rows until the transaction ends: a concurrent acquisition sees the credits granted here.
        const totals = await writeAndNotify(trx, spendingsOf(requests));
        if (needsHeartbeat) await recordHeartbeat(trx);
        return grantLeases(trx, rows, { requests, totals }, now());
      });
      if (needsHeartbeat) heartbeatAtMs = startedMs;
      return leases;
    },
    write: (spendings) => db.transaction((trx) => writeAndNotify(trx, spendings)),
    used: (accountId, startMs) => usedIn(db, accountId, startMs),
    async heartbeat() {
      const startedMs = now();
      const living = await db.transaction(async (trx) => {
        await recordHeartbeat(trx);
        if (!hasRemovedExpired) await removeExpired(trx, db.engine);
        return countLiving(trx, db.engine);
      });
      heartbeatAtMs = startedMs;
      hasRemovedExpired = true;
      return living;
    },
    releaseOwn: () => releaseLeasesOf(db, holder),
    releaseLeasesOf: (dead) => releaseLeasesOf(db, dead),
  };
}

function writtenMonths(spendings: readonly Spending[], totals: readonly number[]) {
  return spendings.map(({ accountId, startMs, endMs, limit, spent, written }, index) => {
    const used = totals[index] as number;
    return { accountId, startMs, endMs, limit, usedBefore: used - (spent - written), used };
  });
}

async function usedIn({ read }: Db, accountId: string, startMs: number): Promise<number> {
  const month = read.selectFrom('usage').where('account_id', '=', accountId).where('cycle_start', '=', startMs);
  return (await month.select('used').executeTakeFirst())?.used ?? 0;
}

const spendingsOf = (requests: readonly LeaseRequest[]): Spending[] => requests.map(({ spending }) => spending);

/** Leases credits of months whose totals have just been written, and requests from other processes the credits that only they hold. */
async function grantLeases(
  trx: Transaction<Schema>,
  rows: CreditLeaseRowsStore,
  { requests, totals }: { readonly requests: readonly LeaseRequest[]; readonly totals: readonly number[] },
  nowMs: number,
) {
  const held = await rows.heldByOthers(trx, spendingsOf(requests));
  const leases = requests.map((request, index) =>
    leaseFor(request, totals[index] as number, held[index] as HeldByOthers),
  );
  const granted = leases.filter(({ more }) => more > 0);
  await rows.write(
    trx,
    granted.map(({ spending, more }) => ({ ...spending, granted: spending.granted + more })),
  );
  for (const accountId of wantedFromOthers(leases)) await recordChange(trx, creditsWantedTopic, accountId, nowMs);
  return leases;
}

async function countLiving(trx: Transaction<Schema>, engine: Db['engine']): Promise<number> {
  const { count } = await trx
    .selectFrom('instances')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isAlive(engine))
    .executeTakeFirstOrThrow();
  return count;
}

async function removeExpired(trx: Transaction<Schema>, engine: Db['engine']): Promise<void> {
  const expired = trx
    .selectFrom('instances')
    .select('id')
    .where('seen_at', '<', sql<number>`${databaseClock(engine)} - ${sql.lit(removedAfterMs)}`);
  await trx.deleteFrom('credit_leases').where('holder', 'in', expired).execute();
  await trx.deleteFrom('instances').where('id', 'in', expired).execute();
}

function releaseLeasesOf(db: Db, holder: string): Promise<void> {
  return db.transaction(async (trx) => {
    await trx.deleteFrom('credit_leases').where('holder', '=', holder).execute();
    await trx.deleteFrom('instances').where('id', '=', holder).execute();
  });
}

/** The lease for a month of which all processes have spent `used` and other processes hold `unspent`. */
function leaseFor({ spending, limit, needed }: LeaseRequest, used: number, { others, unspent }: HeldByOthers) {
  const held = unspent + Math.max(0, spending.granted - spending.spent);
  const more = leaseSize(Math.max(0, limit - used - held), needed, others + 1);
  return { spending, more, used, heldByOthers: unspent };
}

/** Accounts whose remaining credits only other processes hold, sorted so that every transaction locks in the same order. */
function wantedFromOthers(leases: readonly ReturnType<typeof leaseFor>[]): string[] {
  const wanted = leases.filter(({ more, heldByOthers }) => more === 0 && heldByOthers > 0);
  return wanted.map(({ spending }) => spending.accountId).sort();
}

/** Half of an equal share, so that every holder can lease as much and later holders find credits left. */
function leaseSize(left: number, needed: number, holders: number): number {
  if (left < needed) return 0;
  return Math.min(left, Math.max(needed, smallestLease, Math.ceil(left / (2 * holders))));
}

async function upsertHeartbeat(trx: Transaction<Schema>, engine: Db['engine'], holder: string): Promise<void> {
  await sql`insert into instances (id, seen_at) values (${holder}, ${databaseClock(engine)})
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(trx);
}
