import type { Caller } from '../../http/endpoint.ts';
import { createAttachment } from '../../platform/attachment.ts';
import { type BillingCycle, billingCycle } from './billing-cycle.ts';
import { type Month, neverFound } from './month.ts';
import type { UsageStore } from './usage-store.ts';

/** The months that accounts are in, each with what is counted for it. */
export interface Months<M> {
  /** From memory, or read from the database when the account is new here or its month has ended. */
  of(caller: Caller): M | Promise<M>;
  /** The month in memory. */
  current(accountId: string): M | undefined;
  /** The last months that were found here. */
  all(): Iterable<M>;
}

const dayMs = 86_400_000;
/** A clock set back by less than this does not return an account to a month that is over. */
const clockToleranceMs = 3 * dayMs;
/** Of each account: a process may live for years. */
const monthsKept = 3;

/** Finds the month of each account; `create` makes what is counted for it, with the credits that the database knows of. */
export function createMonths<M extends Month>(
  store: Pick<UsageStore, 'newest'>,
  now: () => number,
  create: (accountId: string, cycle: BillingCycle, stored: number) => M,
): Months<M> {
  const current = new Map<string, M>();
  /** By account. One object for each month, also after a clock that went ahead has come back: what it counted before is in no other. */
  const found = new Map<string, readonly M[]>();
  const loading = new Map<string, Promise<M>>();
  const pinned = createAttachment<M>();

  const isNow = ({ startMs, endMs }: M): boolean => {
    const nowMs = now();
    return nowMs < endMs && nowMs >= startMs - clockToleranceMs;
  };
  const today = (): number => Math.floor(now() / dayMs);

  const monthOf = (accountId: string, cycle: BillingCycle, stored: number): M => {
    const last = found.get(accountId) ?? [];
    const known = last.find(({ startMs }) => startMs === cycle.startMs);
    if (known !== undefined) return known;
    const month = create(accountId, cycle, stored);
    found.set(accountId, [month, ...last].slice(0, monthsKept));
    return month;
  };

  const load = async (caller: Caller): Promise<M> => {
    const nowMs = now();
    const cycle = billingCycle(caller.accountCreatedAtMs, nowMs);
    const newest = await store.newest(caller.accountId, nowMs + clockToleranceMs);
    const counted = newest !== null && newest.startMs >= cycle.startMs ? newest : null;
    const actual = counted === null ? cycle : billingCycle(caller.accountCreatedAtMs, counted.startMs);
    const month = monthOf(caller.accountId, actual, counted?.used ?? 0);
    current.set(caller.accountId, month);
    return month;
  };

  const search = (caller: Caller): M | Promise<M> => {
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

  const of = (caller: Caller): M | Promise<M> => {
    const month = pinned.of(caller);
    return month?.foundOnDay === today() ? month : search(caller);
  };

  return { of, current: (accountId) => current.get(accountId), all: () => [...found.values()].flat() };
}
