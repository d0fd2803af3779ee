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

/** Credits that several processes grant from one database, none of them more than it holds. */
export interface LeasedCredits extends Credits {
  /** Another process needs what this one holds of an account and does not use. */
  releaseUnspent(accountId: string): void;
  releaseAllUnspent(): void;
}

/** Accounts written at a time; requests are served in between. On PostgreSQL one of 1,000 takes 1.9 µs, one of 500 2.5. */
const accountsAtOnce = 1_000;
/** Others applyDatabaseTotal of a request within a third of a second; one that has not given back after so many tries is not waited for. */
const triesForOthers = 20;
const pauseMs = 100;
/** How long it is remembered that nothing is left. */
const refusalMs = 500;
/** What other processes spent is read again after this time when somebody asks. */
const usageAgeMs = 250;

/** A month with what this process may spend of it; `spent` and `leased` go on from its first lease of the month. */
class LeasedMonth extends Month {
  leased = 0;
  /** Spent by all processes, as last heard. */
  stored: number;
  refreshedAtMs: number;
  isBeingWritten = false;
  asking: Promise<void> | null = null;
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

/** What time it is, and how much passed. */
export interface Clocks {
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

/**
 * Grants from leases: a process takes a slice of what is left in advance, and takes the next when that is spent. Exact across
 * processes, and as quick as counting alone.
 */
export function createLeasedCredits(
  usage: Pick<UsageStore, 'newest'>,
  leases: CreditLeaseStore,
  { now, monotonicMs }: Clocks,
  isOnlyHolder: () => boolean = () => false,
): LeasedCredits {
  const unwritten = new DirtyList<LeasedMonth>();
  /** Of some months at a time: those that are being written. */
  let writing: Promise<number[]> | null = null;

  const months = createMonths(
    usage,
    now,
    (accountId, cycle, stored) =>
      new LeasedMonth(accountId, cycle, { stored, refreshedAtMs: monotonicMs() }, unwritten),
  );

  const acquireLease = createBatchLoader(leases.acquire);

  const leftIn = ({ spent, written, stored }: LeasedMonth, limit: number): number =>
    Math.max(0, limit - stored - (spent - written));

  /** Takes the next slice. Too little is left: waits until others have given back or spent what they hold. */
  const ask = async (month: LeasedMonth, limit: number, needed: number): Promise<void> => {
    // Two writers of one month would overwrite each other; what becomes of the write is its own affair.
    if (month.isBeingWritten) await writing?.catch(() => {});
    for (let tries = 1; ; tries += 1) {
      const before = spendingOf(month);
      const missing = needed - (before.granted - before.spent);
      const { more, used, heldByOthers } = await acquireLease({ spending: before, limit, needed: missing });
      applyDatabaseTotal(month, before.spent, used);
      month.leased += more;
      if (more > 0) return;
      if (heldByOthers === 0 || tries === triesForOthers) {
        month.refusal = { limit, needed, untilMs: monotonicMs() + refusalMs };
        return;
      }
      await sleep(pauseMs);
    }
  };

  const applyDatabaseTotal = (month: LeasedMonth, written: number, used: number): void => {
    month.written = written;
    month.stored = used;
    month.refreshedAtMs = monotonicMs();
  };

  const isRefused = ({ refusal }: LeasedMonth, limit: number, needed: number): boolean =>
    refusal !== null && refusal.limit === limit && refusal.needed <= needed && monotonicMs() < refusal.untilMs;

  const takeLater = async (month: LeasedMonth, limit: number, credits: number): Promise<Reservation> => {
    while (month.leased - month.spent < credits) {
      if (isRefused(month, limit, credits)) return { granted: false, left: leftIn(month, limit) };
      month.asking ??= ask(month, limit, credits).finally(() => {
        month.asking = null;
      });
      await month.asking;
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
    return takeLater(month, plan.credits, credits);
  };

  const writeSome = async (dirtyOnes: readonly LeasedMonth[]): Promise<void> => {
    // Whoever is being granted more writes what was spent in the same transaction.
    const some = dirtyOnes.filter((month) => month.asking === null);
    const spendings = some.map(spendingOf);
    writing = leases.write(spendings);
    for (const month of some) month.isBeingWritten = true;
    try {
      const totals = await writing;
      for (const [index, month] of some.entries())
        applyDatabaseTotal(month, spendings[index]?.spent ?? 0, totals[index] ?? 0);
    } finally {
      for (const month of some) month.isBeingWritten = false;
    }
    for (const month of dirtyOnes) if (month.written !== month.spent) unwritten.add(month);
  };

  const releaseUnspent = (month: LeasedMonth): void => {
    if (month.leased <= month.spent) return;
    month.leased = month.spent;
    unwritten.add(month);
  };

  const report = (month: LeasedMonth): CreditUsage => ({
    used: month.stored + month.spent - month.written,
    resetAtMs: month.endMs,
  });

  const usageOf = async (month: LeasedMonth): Promise<CreditUsage> => {
    const isWriting = (): boolean => month.asking !== null || month.isBeingWritten;
    if (monotonicMs() - month.refreshedAtMs > usageAgeMs && !isWriting()) {
      const { written } = month;
      // A storage that is away leaves what was heard last.
      const used = await leases.used(month.accountId, month.startMs).catch(() => null);
      // A write that came in between tells the total itself.
      if (used !== null && written === month.written && !isWriting()) applyDatabaseTotal(month, written, used);
    }
    return report(month);
  };

  return {
    reserve: (caller, credits) => mapMaybePromise(months.of(caller), (month) => take(month, caller, credits)),
    usage: (caller) => mapMaybePromise(months.of(caller), usageOf),
    buffer: createWriteBehind({
      ...creditsBuffer,
      pending: unwritten,
      batchSize: accountsAtOnce,
      // Other processes read used credits from the database and must see them within a second.
      delay: { ...creditsDelay, isAllowed: isOnlyHolder },
      write: writeSome,
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

/** As it is now: writing takes a while, and requests go on spending. */
function spendingOf({ accountId, startMs, endMs, limit, spent, leased, written }: LeasedMonth): Spending {
  return { accountId, startMs, endMs, limit, spent, granted: leased, written };
}
