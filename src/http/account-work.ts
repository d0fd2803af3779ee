import { AppError } from '../errors.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { runLowPriority } from '../platform/low-priority.ts';
import { createSemaphore, type Semaphore } from '../platform/semaphore.ts';

/** Runs the requests of accounts that are neither lookups nor decisions, so that no account can slow down the others. */
export interface AccountWork {
  /** Throws `account_busy` when the account would have to wait too long, before the body of its request is read. */
  check(accountId: string, lane: Lane, hasBody: boolean): void;
  /** Runs work at low priority, after the account's other work in its lane if it has one, and charges its processor time to the account. */
  run<T>(accountId: string, lane: Lane | null, work: () => T | Promise<T>): Promise<T>;
}

/** `waiting` is for work that waits for the network most of the time, so that other work does not wait for it. */
export type Lane = 'usual' | 'waiting';

/** What accounts may use. */
export interface AccountWorkOptions {
  /** The part of one processor that each account may use continuously, in percent; 0: any. */
  readonly cpuPercent: number;
  readonly monotonicMs: () => number;
  /** Processor time was charged. */
  readonly onCharged?: (ms: number) => void;
}

/** How many requests of an account wait for the one that runs, and for how long: longer than a request needs to notice that storage is unavailable. */
const maxWaiting = 1_000;
const maxWaitMs = 8_000;
/** An account that used nothing for this long has saved up its whole budget. */
const savedSeconds = 40;
const maxAccounts = 10_000;

interface Queue {
  readonly slot: Semaphore;
  /** When the request that runs started. */
  startedMs: number;
  /** How long a request runs, as a moving average; zero once none waits. */
  averageMs: number;
}

interface Account {
  readonly queues: Readonly<Record<Lane, Queue>>;
  /** Processor time left, in milliseconds; below zero after work that took longer than what was left. */
  leftMs: number;
  filledAtMs: number;
  /** Requests that failed because the service could not serve them. */
  outages: number;
}

/** Keeps the budgets of one process. */
export function createAccountWork({ cpuPercent, monotonicMs, onCharged }: AccountWorkOptions): AccountWork {
  const accounts = boundedMap<string, Account>(maxAccounts);
  const perSecondMs = cpuPercent === 0 ? Number.POSITIVE_INFINITY : 10 * cpuPercent;
  const fullMs = cpuPercent === 0 ? Number.MAX_VALUE : savedSeconds * perSecondMs;

  const accountOf = (accountId: string): Account => {
    const known = accounts.get(accountId);
    if (known !== undefined) return known;
    const queues = { usual: createQueue(), waiting: createQueue() };
    const account = { queues, leftMs: fullMs, filledAtMs: monotonicMs(), outages: 0 };
    accounts.set(accountId, account);
    return account;
  };
  const checkBudget = (account: Account): void => {
    const nowMs = monotonicMs();
    const refilledMs = ((nowMs - account.filledAtMs) / 1_000) * perSecondMs;
    account.leftMs = Math.min(fullMs, account.leftMs + (refilledMs || 0));
    account.filledAtMs = nowMs;
    // One second of the budget is worth coming back for.
    if (account.leftMs <= 0) throw busy(Math.ceil(1 - account.leftMs / perSecondMs));
  };
  const charged = <T>(account: Account, work: () => T | Promise<T>): Promise<T> => {
    const charge = (ms: number): void => {
      account.leftMs -= ms;
      onCharged?.(ms);
    };
    return runLowPriority(charge, work);
  };
  return {
    check(accountId, lane, hasBody) {
      const account = accountOf(accountId);
      const queue = account.queues[lane];
      const waiting = queue.slot.waiting();
      if (waiting >= maxWaiting) throw busy(1);
      // A body that is read in vain takes processor time from other accounts, and memory while it waits.
      const expectedMs = waiting * Math.max(queue.averageMs, averageMs(queue, monotonicMs()));
      if (hasBody && expectedMs > maxWaitMs) throw busy(maxWaitMs / 1_000);
      checkBudget(account);
    },
    async run(accountId, lane, work) {
      const account = accountOf(accountId);
      if (lane === null) {
        checkBudget(account);
        return charged(account, work);
      }
      const queue = account.queues[lane];
      const { slot } = queue;
      const { outages } = account;
      const isHeld = await (slot.held() === 0 ? slot.acquire() : slot.acquire(AbortSignal.timeout(maxWaitMs)));
      try {
        // Each request would need seconds to notice the same outage, one after the other.
        if (account.outages !== outages) throw new AppError('service_unavailable');
        if (!isHeld) throw busy(1);
        queue.startedMs = monotonicMs();
        checkBudget(account);
        return await charged(account, work);
      } catch (error) {
        if (isHeld && error instanceof AppError && error.code === 'service_unavailable') account.outages += 1;
        throw error;
      } finally {
        if (isHeld) {
          queue.averageMs = slot.waiting() === 0 ? 0 : averageMs(queue, monotonicMs());
          slot.release();
        }
      }
    },
  };
}

const createQueue = (): Queue => ({ slot: createSemaphore(1, maxWaiting), startedMs: 0, averageMs: 0 });

/** The moving average if the request that runs ended now: one long request should not reject those that wait for it. */
const averageMs = (queue: Queue, nowMs: number): number =>
  queue.averageMs + (nowMs - queue.startedMs - queue.averageMs) / 4;

const busy = (retryAfterSeconds: number): AppError => new AppError('account_busy', { retryAfterSeconds });
