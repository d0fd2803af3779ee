import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Granted, Reservation } from '../http/admission.ts';
import type { Caller } from '../http/endpoint.ts';
import { type Waiting, WaitingList } from '../memory/waiting-list.ts';
import { whenSettled } from '../time/when-settled.ts';
import type { BillingCycle } from './billing-cycle.ts';
import { type CountedMonth, createMonths, neverFound } from './leases/months.ts';
import type { UsageStore } from './usage-store.ts';

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
  waiting(): number;
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
 * One account's month: what the database knows, and what was counted here and is not written yet. It is also what its requests
 * are granted: what fails after the month ended is given back to that month.
 */
class Counter implements CountedMonth, Granted, Waiting {
  // What every request changes or looks at comes first: it is together in the processor's cache.
  readonly granted = true;
  isWaiting = false;
  foundOnDay = neverFound;
  unwritten = 0;
  stored: number;
  /** By the plan of whoever used some last. */
  limit = 0;
  readonly #waiting: WaitingList<Counter>;
  readonly accountId: string;
  readonly startMs: number;
  readonly endMs: number;

  constructor(accountId: string, { startMs, endMs }: BillingCycle, stored: number, waiting: WaitingList<Counter>) {
    this.stored = stored;
    this.#waiting = waiting;
    this.accountId = accountId;
    this.startMs = startMs;
    this.endMs = endMs;
  }

  use(credits: number): void {
    this.unwritten += credits;
    this.#waiting.add(this);
  }

  release(credits: number): void {
    this.use(-credits);
  }
}

/**
 * Counts in memory and writes in batches (`flush`, once a second or faster): a kill -9 loses at most what was used since
 * the last flush, in the customer's favour.
 */
export function createCredits(store: UsageStore, now: () => number): Credits {
  const unwritten = new WaitingList<Counter>();
  let flushing: Promise<void> | null = null;

  const months = createMonths(
    store,
    now,
    (accountId, cycle, stored) => new Counter(accountId, cycle, stored, unwritten),
  );

  const take = (counter: Counter, caller: Caller, credits: number): Reservation => {
    const left = caller.plan.credits - counter.stored - counter.unwritten;
    if (credits > left && !caller.overage) {
      return { granted: false, left: Math.max(0, left) };
    }
    counter.limit = caller.plan.credits;
    counter.use(credits);
    return counter;
  };

  const writeSome = async (counters: readonly Counter[]): Promise<void> => {
    const changes = counters.map(({ accountId, startMs, endMs, limit, unwritten }) => {
      return { accountId, startMs, endMs, limit, credits: unwritten };
    });
    const totals = await store.add(changes);
    for (const [index, counter] of counters.entries()) {
      counter.unwritten -= changes[index]?.credits ?? 0;
      counter.stored = totals[index] ?? counter.stored;
      if (counter.unwritten !== 0) unwritten.add(counter);
    }
  };

  const write = async (): Promise<void> => {
    const counters = unwritten.take().filter((counter) => counter.unwritten !== 0);
    for (let start = 0; start < counters.length; start += accountsAtOnce) {
      if (start > 0) await nextTurn();
      try {
        await writeSome(counters.slice(start, start + accountsAtOnce));
      } catch (error) {
        for (const counter of counters.slice(start)) unwritten.add(counter);
        throw error;
      }
    }
  };

  return {
    reserve(caller, credits) {
      return whenSettled(months.of(caller), (counter) => take(counter, caller, credits));
    },
    usage(caller) {
      const report = (counter: Counter): CreditUsage => ({
        used: counter.stored + counter.unwritten,
        resetAtMs: counter.endMs,
      });
      return whenSettled(months.of(caller), report);
    },
    flush() {
      flushing ??= write().finally(() => {
        flushing = null;
      });
      return flushing;
    },
    waiting: () => unwritten.size,
  };
}
