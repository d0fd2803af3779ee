import type { Reservation } from '../../http/admission.ts';
import type { Caller } from '../../http/endpoint.ts';
import { mapMaybePromise } from '../../platform/map-maybe-promise.ts';
import { DirtyList } from '../../platform/pending-entries.ts';
import { createWriteBehind, type WriteBehind } from '../../platform/write-behind.ts';
import { Month } from './month.ts';
import { createMonths } from './months.ts';
import type { CreditsUsed, UsageStore } from './usage-store.ts';

/** The credits that an account has used in its month. */
export interface CreditUsage {
  readonly used: number;
  readonly resetAtMs: number;
}

/** Counts monthly credits exactly. `createCredits` serves the only process of a database, `createLeasedCredits` one of several. */
export interface Credits {
  reserve(caller: Caller, credits: number): Reservation | Promise<Reservation>;
  usage(caller: Caller): CreditUsage | Promise<CreditUsage>;
  /** Accounts whose used credits are not written yet. */
  readonly buffer: WriteBehind;
}

/** Settings of the buffer, with and without leases. */
export const creditsBuffer = {
  name: 'credits',
  flushEveryMs: 500,
  failure: 'used credits are not written yet; they are kept in memory',
} as const;
/** Flushes of very many accounts run less often. A kill -9 then loses more used credits, in the customer's favour. */
export const creditsDelay = { perEntryMs: 0.2, maxMs: 2_000 } as const;

/**
 * Counts in memory and writes in batches in the background. A kill -9 loses at most the credits used since the last flush, in the
 * customer's favour.
 */
export function createCredits(store: UsageStore, now: () => number): Credits {
  const unwritten = new DirtyList<Month>();
  const months = createMonths(store, now, (...month) => new Month(...month, unwritten));

  const take = (month: Month, { plan, overage }: Caller, credits: number): Reservation => {
    const left = plan.credits - month.spent;
    if (credits > left && !overage) return { granted: false, left: Math.max(0, left) };
    month.limit = plan.credits;
    return month.spend(credits);
  };

  const write = async (batch: readonly Month[]): Promise<void> => {
    const changed = batch.filter(({ written, spent }) => written !== spent);
    if (changed.length === 0) return;
    const changes = changed.map(changeOf);
    await store.add(changes);
    for (const [index, month] of changed.entries()) {
      month.written = changes[index]?.used ?? month.written;
      if (month.written !== month.spent) unwritten.add(month);
    }
  };

  return {
    reserve: (caller, credits) => mapMaybePromise(months.of(caller), (month) => take(month, caller, credits)),
    usage: (caller) =>
      mapMaybePromise(months.of(caller), ({ spent, endMs }): CreditUsage => ({ used: spent, resetAtMs: endMs })),
    buffer: createWriteBehind({ ...creditsBuffer, pending: unwritten, batchSize: 500, delay: creditsDelay, write }),
  };
}

/** A copy of the current state: requests continue to spend credits during the write. */
function changeOf({ accountId, startMs, endMs, limit, written, spent }: Month): CreditsUsed {
  return { accountId, startMs, endMs, limit, usedBefore: written, used: spent };
}
