import type { Reservation } from '../../http/admission.ts';
import type { Caller } from '../../http/endpoint.ts';
import { WaitingList } from '../../platform/waiting-list.ts';
import { whenSettled } from '../../platform/when-settled.ts';
import { Month } from './month.ts';
import { createMonths } from './months.ts';
import type { CreditsUsed, UsageStore } from './usage-store.ts';

/** What an account has used of its month. */
export interface CreditUsage {
  readonly used: number;
  readonly resetAtMs: number;
}

/** Monthly credits, counted exactly. Here for the one process of a database; `leases/` has the form for several. */
export interface Credits {
  reserve(caller: Caller, credits: number): Reservation | Promise<Reservation>;
  usage(caller: Caller): CreditUsage | Promise<CreditUsage>;
  /** Writes what was counted since the last time; rejects when storage is away, and then nothing is lost. */
  flush(): Promise<void>;
  /** How many accounts have used credits that are not written yet. */
  unwritten(): number;
}

/** Accounts written at a time; requests are served in between. */
const accountsAtOnce = 500;

/** From so many accounts on, what they used waits: the more there are, the longer, up to a bound. */
const manyAccounts = 2_500;
const waitOfAccountMs = 0.2;
const longestWaitMs = 2_000;

/** Whether what so many accounts have used since it was last written need not be written yet. */
export function mayWait(accounts: number, sinceMs: number): boolean {
  return accounts > manyAccounts && sinceMs < Math.min(accounts * waitOfAccountMs, longestWaitMs);
}

/**
 * Counts in memory and writes in batches (`flush`, once a second or faster): a kill -9 loses at most what was used since
 * the last flush, in the customer's favour.
 */
export function createCredits(store: UsageStore, now: () => number): Credits {
  const unwritten = new WaitingList<Month>();
  let flushing: Promise<void> | null = null;
  const months = createMonths(store, now, (...month) => new Month(...month, unwritten));

  const take = (month: Month, { plan, overage }: Caller, credits: number): Reservation => {
    const left = plan.credits - month.spent;
    if (credits > left && !overage) return { granted: false, left: Math.max(0, left) };
    month.limit = plan.credits;
    return month.spend(credits);
  };

  const write = async (some: readonly Month[]): Promise<void> => {
    const changed = some.filter(({ written, spent }) => written !== spent);
    if (changed.length === 0) return;
    const changes = changed.map(changeOf);
    await store.add(changes);
    for (const [index, month] of changed.entries()) {
      month.written = changes[index]?.used ?? month.written;
      if (month.written !== month.spent) unwritten.add(month);
    }
  };

  return {
    reserve: (caller, credits) => whenSettled(months.of(caller), (month) => take(month, caller, credits)),
    usage: (caller) =>
      whenSettled(months.of(caller), ({ spent, endMs }): CreditUsage => ({ used: spent, resetAtMs: endMs })),
    flush() {
      flushing ??= unwritten.drain(accountsAtOnce, write).finally(() => {
        flushing = null;
      });
      return flushing;
    },
    unwritten: () => unwritten.size,
  };
}

/** As it is now: writing takes a while, and requests go on spending. */
function changeOf({ accountId, startMs, endMs, limit, written, spent }: Month): CreditsUsed {
  return { accountId, startMs, endMs, limit, usedBefore: written, used: spent };
}
