import type { Caller } from '../../http/endpoint.ts';
import { createAttachment } from '../../platform/attachment.ts';
import { type BillingCycle, billingCycle } from './billing-cycle.ts';
import { type Month, neverCurrent } from './month.ts';
import type { UsageStore } from './usage-store.ts';

/** The current months of accounts. */
export interface Months<M> {
  /** The caller's current month: from memory, or loaded when the account is new in this process or its month has ended. */
  of(caller: Caller): M | Promise<M>;
  /** The account's month in memory. */
  current(accountId: string): M | undefined;
  /** The most recent months of all accounts in memory. */
  all(): Iterable<M>;
}

const dayMs = 86_400_000;
/** A clock set back by less than this does not return an account to an earlier month. */
const clockToleranceMs = 3 * dayMs;
/** Per account. Bounds the memory of a process that runs for years. */
const monthsKept = 3;

/** Creates a month with the used credits from the database. */
type CreateMonth<M> = (accountId: string, cycle: BillingCycle, stored: number) => M;

/** Finds each account's current month. */
export function createMonths<M extends Month>(
  store: Pick<UsageStore, 'newest'>,
  now: () => number,
  create: CreateMonth<M>,
): Months<M> {
  const current = new Map<string, M>();
  const recent = createRecentMonths(create);
  const loading = new Map<string, Promise<M>>();
  const pinned = createAttachment<M>();

  const today = (): number => Math.floor(now() / dayMs);

  const load = async (caller: Caller): Promise<M> => {
    const nowMs = now();
    const cycle = billingCycle(caller.accountCreatedAtMs, nowMs);
    const newest = await store.newest(caller.accountId, nowMs + clockToleranceMs);
    const counted = newest !== null && newest.startMs >= cycle.startMs ? newest : null;
    const actual = counted === null ? cycle : billingCycle(caller.accountCreatedAtMs, counted.startMs);
    const month = recent.of(caller.accountId, actual, counted?.used ?? 0);
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
    if (isCurrentAt(now(), month)) {
      month.currentOnDay = today();
      pinned.put(caller, month);
      return month;
    }
    // The month has ended. Its unwritten credits stay in the buffer; the new month is loaded from the database, because another
    // process may already have used credits in it.
    month.currentOnDay = neverCurrent;
    current.delete(caller.accountId);
    return search(caller);
  };

  const of = (caller: Caller): M | Promise<M> => {
    const month = pinned.of(caller);
    return month?.currentOnDay === today() ? month : search(caller);
  };

  return { of, current: (accountId) => current.get(accountId), all: recent.all };
}

const isCurrentAt = (nowMs: number, { startMs, endMs }: Month): boolean =>
  nowMs < endMs && nowMs >= startMs - clockToleranceMs;

/** The most recent months of each account. */
function createRecentMonths<M extends Month>(create: CreateMonth<M>) {
  /** A clock that jumps ahead and back must find the same object again, because it holds the unwritten credits. */
  const found = new Map<string, readonly M[]>();
  return {
    of(accountId: string, cycle: BillingCycle, stored: number): M {
      const last = found.get(accountId) ?? [];
      const known = last.find(({ startMs }) => startMs === cycle.startMs);
      if (known !== undefined) return known;
      const month = create(accountId, cycle, stored);
      found.set(accountId, [month, ...last].slice(0, monthsKept));
      return month;
    },
    all: (): readonly M[] => [...found.values()].flat(),
  };
}
