import { setTimeout as sleep } from 'node:timers/promises';
import type { Reservation } from '../../http/admission.ts';
import type { Caller } from '../../http/endpoint.ts';
import { createBatchLoader } from '../../platform/batch-loader.ts';
import { mapMaybePromise } from '../../platform/map-maybe-promise.ts';
import { DirtyList } from '../../platform/pending-entries.ts';
import { createWriteBehind } from '../../platform/write-behind.ts';
import type { BillingCycle } from './billing-cycle.ts';
import type { CreditLeaseStore, Spending } from './credit-lease-store.ts';
import { type Credits, type CreditUsage, creditsBuffer, creditsDelay } from './credits.ts';
import { Month } from './month.ts';
import { createMonths } from './months.ts';
import type { UsageStore } from './usage-store.ts';

/** Credits that several processes grant from one database; each grants only credits that it has leased. */
export interface LeasedCredits extends Credits {
  /** Releases an account's unspent credits, because another process needs them. */
  releaseUnspent(accountId: string): void;
  releaseAllUnspent(): void;
}

/** Accounts per write; requests are served between writes. */
const batchSize = 1_000;
/** Other processes see a request within a third of a second. After this many attempts they are not waited for any longer. */
const maxAttempts = 20;
const retryDelayMs = 100;
/** How long a refusal is cached. */
const refusalTtlMs = 500;
/** `usage` reads the total of all processes again after this time. */
const usageTtlMs = 250;

/** A month with the credits leased by this process. `spent` and `leased` are cumulative since its first lease of the month. */
class LeasedMonth extends Month {
  leased = 0;
  /** The last known total that all processes have spent. */
  stored: number;
  refreshedAtMs: number;
  isBeingWritten = false;
  acquiring: Promise<void> | null = null;
  refusal: { readonly limit: number; readonly needed: number; readonly untilMs: number } | null = null;

  constructor(
    accountId: string,
    cycle: BillingCycle,
    { stored, refreshedAtMs }: Pick<LeasedMonth, 'stored' | 'refreshedAtMs'>,
    unwritten: DirtyList<LeasedMonth>,
  ) {
    super(accountId, cycle, 0, unwritten);
    this.stored = stored;
    this.refreshedAtMs = refreshedAtMs;
  }
}

/** The wall clock and the monotonic clock. */
export interface Clocks {
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

/**
 * Grants credits from leases: a process leases a part of the remaining credits in advance, and the next part when that is spent. The
 * count is exact across processes, and most requests need no query.
 */
export function createLeasedCredits(
  usage: Pick<UsageStore, 'newest'>,
  leases: CreditLeaseStore,
  { now, monotonicMs }: Clocks,
  isOnlyHolder: () => boolean = () => false,
): LeasedCredits {
  const unwritten = new DirtyList<LeasedMonth>();
  const months = createMonths(
    usage,
    now,
    (accountId, cycle, stored) =>
      new LeasedMonth(accountId, cycle, { stored, refreshedAtMs: monotonicMs() }, unwritten),
  );
  const { writeBatch, written } = createMonthWrites(leases, unwritten, monotonicMs);
  const take = createLeasing(leases, monotonicMs, written);

  const releaseUnspent = (month: LeasedMonth): void => {
    if (month.leased <= month.spent) return;
    month.leased = month.spent;
    unwritten.add(month);
  };

  return {
    reserve: (caller, credits) => mapMaybePromise(months.of(caller), (month) => take(month, caller, credits)),
    usage: (caller) => mapMaybePromise(months.of(caller), (month) => usageIn(month, leases, monotonicMs)),
    buffer: createWriteBehind({
      ...creditsBuffer,
      pending: unwritten,
      batchSize,
      // Other processes read used credits from the database and must see them within a second.
      delay: { ...creditsDelay, isAllowed: isOnlyHolder },
      write: writeBatch,
    }),
    releaseUnspent(accountId) {
      const month = months.current(accountId);
      if (month !== undefined) releaseUnspent(month);
    },
    releaseAllUnspent() {
      for (const month of months.all()) releaseUnspent(month);
    },
  };
}

/** The credits that all processes have spent in a month, read again when the last known total is old. */
async function usageIn(
  month: LeasedMonth,
  leases: Pick<CreditLeaseStore, 'used'>,
  monotonicMs: () => number,
): Promise<CreditUsage> {
  const isWriting = (): boolean => month.acquiring !== null || month.isBeingWritten;
  if (monotonicMs() - month.refreshedAtMs > usageTtlMs && !isWriting()) {
    const { written } = month;
    // While the database is unavailable, the last known total is reported.
    const used = await leases.used(month.accountId, month.startMs).catch(() => null);
    // A write that ran meanwhile has applied a newer total.
    if (used !== null && written === month.written && !isWriting())
      applyDatabaseTotal(month, written, used, monotonicMs());
  }
  return { used: month.stored + month.spent - month.written, resetAtMs: month.endMs };
}

/** Writes months in batches; `written` waits for the write in progress of a month. */
function createMonthWrites(
  leases: Pick<CreditLeaseStore, 'write'>,
  unwritten: DirtyList<LeasedMonth>,
  monotonicMs: () => number,
) {
  /** The write in progress, of the months with `isBeingWritten`. */
  let writing: Promise<number[]> | null = null;

  return {
    // Two concurrent writes of one month would overwrite each other. The flush reports the error of its write.
    async written(month: LeasedMonth): Promise<void> {
      if (month.isBeingWritten) await writing?.catch(() => {});
    },
    async writeBatch(dirty: readonly LeasedMonth[]): Promise<void> {
      // An acquisition in progress writes its month's spent credits in its own transaction.
      const batch = dirty.filter((month) => month.acquiring === null);
      const spendings = batch.map(spendingOf);
      writing = leases.write(spendings);
      for (const month of batch) month.isBeingWritten = true;
      try {
        const totals = await writing;
        for (const [index, month] of batch.entries())
          applyDatabaseTotal(month, spendings[index]?.spent ?? 0, totals[index] ?? 0, monotonicMs());
      } finally {
        for (const month of batch) month.isBeingWritten = false;
      }
      for (const month of dirty) if (month.written !== month.spent) unwritten.add(month);
    },
  };
}

/** Grants credits from leases, and acquires the next one when a month needs it; `written` waits for the month's write in progress. */
function createLeasing(
  leases: Pick<CreditLeaseStore, 'acquire'>,
  monotonicMs: () => number,
  written: (month: LeasedMonth) => Promise<void>,
) {
  const acquireLease = createBatchLoader(leases.acquire);

  /** Acquires the next lease. When too few credits are left, waits until other processes have released or spent theirs. */
  const acquire = async (month: LeasedMonth, limit: number, needed: number): Promise<void> => {
    await written(month);
    for (let attempt = 1; ; attempt += 1) {
      const before = spendingOf(month);
      const missing = needed - (before.granted - before.spent);
      const { more, used, heldByOthers } = await acquireLease({ spending: before, limit, needed: missing });
      applyDatabaseTotal(month, before.spent, used, monotonicMs());
      month.leased += more;
      if (more > 0) return;
      if (heldByOthers === 0 || attempt === maxAttempts) {
        month.refusal = { limit, needed, untilMs: monotonicMs() + refusalTtlMs };
        return;
      }
      await sleep(retryDelayMs);
    }
  };

  const acquireAndTake = async (month: LeasedMonth, limit: number, credits: number): Promise<Reservation> => {
    while (month.leased - month.spent < credits) {
      if (isRefused(month, limit, credits, monotonicMs())) return { granted: false, left: leftIn(month, limit) };
      month.acquiring ??= acquire(month, limit, credits).finally(() => {
        month.acquiring = null;
      });
      await month.acquiring;
    }
    return month.spend(credits);
  };

  const take = (month: LeasedMonth, { plan, overage }: Caller, credits: number): Reservation | Promise<Reservation> => {
    month.limit = plan.credits;
    if (overage) {
      month.leased += credits;
      return month.spend(credits);
    }
    if (month.leased - month.spent >= credits) return month.spend(credits);
    return acquireAndTake(month, plan.credits, credits);
  };

  return take;
}

const isRefused = ({ refusal }: LeasedMonth, limit: number, needed: number, nowMs: number): boolean =>
  refusal !== null && refusal.limit === limit && refusal.needed <= needed && nowMs < refusal.untilMs;

const leftIn = ({ spent, written, stored }: LeasedMonth, limit: number): number =>
  Math.max(0, limit - stored - (spent - written));

function applyDatabaseTotal(month: LeasedMonth, written: number, used: number, atMs: number): void {
  month.written = written;
  month.stored = used;
  month.refreshedAtMs = atMs;
}

/** A copy of the current state: requests continue to spend credits during the write. */
function spendingOf({ accountId, startMs, endMs, limit, spent, leased, written }: LeasedMonth): Spending {
  return { accountId, startMs, endMs, limit, spent, granted: leased, written };
}
