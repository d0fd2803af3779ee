import type { Caller } from '../../http/endpoint.ts';
import { createPin } from '../../memory/pins.ts';
import { type BillingCycle, billingCycle } from '../billing-cycle.ts';
import type { UsageStore } from '../usage-store.ts';

/** The months that accounts are in, each with what is counted for it. */
export interface Months<Month> {
  /** From memory, or read from the database when the account is new here or its month has ended. */
  of(caller: Caller): Month | Promise<Month>;
  /** The month in memory. */
  current(accountId: string): Month | undefined;
}

/** A month that is counted. */
export interface CountedMonth extends BillingCycle {
  /**
   * The day, counted from 1970, on which it was last found to be the month that its account is in. Months begin and end with a
   * day, so it is that for the rest of it.
   */
  foundOnDay: number;
}

export const neverFound = -1;
const dayMs = 86_400_000;
/** A clock set back by less than this does not return an account to a month that is over. */
const clockToleranceMs = 3 * dayMs;

/** Finds the month of each account; `create` makes what is counted for it, with the credits that the database knows of. */
export function createMonths<Month extends CountedMonth>(
  store: Pick<UsageStore, 'newest'>,
  now: () => number,
  create: (accountId: string, cycle: BillingCycle, stored: number) => Month,
): Months<Month> {
  const current = new Map<string, Month>();
  const loading = new Map<string, Promise<Month>>();
  const pinned = createPin<Month>();

  const isNow = ({ startMs, endMs }: Month): boolean => {
    const nowMs = now();
    return nowMs < endMs && nowMs >= startMs - clockToleranceMs;
  };
  const today = (): number => Math.floor(now() / dayMs);

  const load = async (caller: Caller): Promise<Month> => {
    const nowMs = now();
    const cycle = billingCycle(caller.accountCreatedAtMs, nowMs);
    const newest = await store.newest(caller.accountId, nowMs + clockToleranceMs);
    const counted = newest !== null && newest.startMs >= cycle.startMs ? newest : null;
    const actual = counted === null ? cycle : billingCycle(caller.accountCreatedAtMs, counted.startMs);
    const month = create(caller.accountId, actual, counted?.used ?? 0);
    current.set(caller.accountId, month);
    return month;
  };

  const search = (caller: Caller): Month | Promise<Month> => {
    const month = current.get(caller.accountId);
    if (month === undefined) {
      const pending = loading.get(caller.accountId) ?? load(caller).finally(() => loading.delete(caller.accountId));
      loading.set(caller.accountId, pending);
      return pending;
    }
    if (isNow(month)) {
      month.foundOnDay = today();
      pinned.put(caller, month);
      return month;
    }
    // The month is over. What was counted in it stays with its writer until it is written; the new one is read from the
    // database, because another process may have begun to count it.
    month.foundOnDay = neverFound;
    current.delete(caller.accountId);
    return search(caller);
  };

  const of = (caller: Caller): Month | Promise<Month> => {
    const month = pinned.of(caller);
    return month?.foundOnDay === today() ? month : search(caller);
  };

  return { of, current: (accountId) => current.get(accountId) };
}
