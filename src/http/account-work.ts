import { AppError } from '../errors.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { runLowPriority } from '../platform/low-priority.ts';
import { createSemaphore, type Semaphore } from '../platform/semaphore.ts';
import { createAccountShares } from './account-shares.ts';

/** Runs the requests of accounts that are neither lookups nor decisions, so that no account can slow down the others. */
export interface AccountWork {
  /** Throws `account_busy` when the account has used more than its share while others waited. */
  check(accountId: string): void;
  /** Runs work at low priority, after the account's other work in its lane, and charges its processor time to the account. */
  run<T>(accountId: string, lane: Lane, work: () => T | Promise<T>, whenAbandoned?: WhenAbandoned): Promise<T>;
  /** Runs work that reads a large body and keeps it: an account may have few of them in memory. */
  withBody<T>(accountId: string, whenAbandoned: WhenAbandoned, work: () => T | Promise<T>): Promise<T>;
}

/** Aborts when the client of a request has disconnected. */
export type WhenAbandoned = () => AbortSignal;

/**
 * One account's concurrent requests, by kind of work. `job` scans the log; `report` states outcomes; `network` waits for the network
 * most of the time; `parallel` is for requests that wait for no other, such as one that refreshes lists for minutes.
 */
const createSlots = () => ({
  read: createSemaphore(4, maxWaiting),
  usual: createSemaphore(1, maxWaiting),
  job: createSemaphore(1, maxWaiting),
  report: createSemaphore(1, maxWaiting),
  network: createSemaphore(1, maxWaiting),
  parallel: createSemaphore(50, maxWaiting),
});
export type Lane = keyof ReturnType<typeof createSlots>;

/** Work in these lanes is never refused for its processing time. */
const assuredLanes: readonly Lane[] = ['read', 'report', 'parallel'];
export const mayBeRefused = (lane: Lane | null): lane is Lane => lane !== null && !assuredLanes.includes(lane);

/** The limits of accounts, and the clock that they are measured with. */
export interface AccountWorkOptions {
  /** The part of one processor that each account may use while others wait, in percent; 0: any. */
  readonly cpuPercent: number;
  readonly monotonicMs: () => number;
  /** Processor time was charged. */
  readonly onCharged?: (ms: number) => void;
}

/** Bounds the memory of an account's waiting requests. */
const maxWaiting = 5_000;
const maxBodies = 8;
const maxAccounts = 10_000;

interface Account {
  readonly slots: Readonly<Record<Lane, Semaphore>>;
  readonly bodies: Semaphore;
  /** Requests that failed because the service could not serve them. */
  outages: number;
}

/** Keeps the queues and shares of one process. */
export function createAccountWork({ cpuPercent, monotonicMs, onCharged }: AccountWorkOptions): AccountWork {
  const accounts = boundedMap<string, Account>(maxAccounts);
  const shares = createAccountShares(cpuPercent, monotonicMs);

  const accountOf = (accountId: string): Account => {
    const known = accounts.get(accountId);
    if (known !== undefined) return known;
    const account = createAccount();
    accounts.set(accountId, account);
    return account;
  };
  const charged = <T>(accountId: string, work: () => T | Promise<T>): Promise<T> => {
    const charge = (ms: number): void => {
      shares.charge(accountId, ms);
      onCharged?.(ms);
    };
    return runLowPriority({ accountId, charge, waited: (ms) => shares.waited(accountId, ms) }, work);
  };
  return {
    check(accountId) {
      if (shares.isOver(accountId)) throw busy();
    },
    run(accountId, lane, work, whenAbandoned) {
      const account = accountOf(accountId);
      const { outages } = account;
      return holding(account.slots[lane], whenAbandoned, async () => {
        // Each request would need seconds to notice the same outage, one after the other.
        if (account.outages !== outages) throw new AppError('service_unavailable');
        try {
          return await charged(accountId, work);
        } catch (error) {
          if (error instanceof AppError && error.code === 'service_unavailable') account.outages += 1;
          throw error;
        }
      });
    },
    withBody: (accountId, whenAbandoned, work) => holding(accountOf(accountId).bodies, whenAbandoned, work),
  };
}

async function holding<T>(
  slot: Semaphore,
  whenAbandoned: WhenAbandoned | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  if (slot.waiting() >= maxWaiting) throw busy();
  const isHeld = await slot.acquire(slot.isFull() ? whenAbandoned?.() : undefined);
  // No one reads the response to an abandoned request.
  if (!isHeld) throw new AppError('bad_request');
  try {
    return await work();
  } finally {
    slot.release();
  }
}

const createAccount = (): Account => ({
  slots: createSlots(),
  bodies: createSemaphore(maxBodies, maxWaiting),
  outages: 0,
});

const busy = (): AppError => new AppError('account_busy', { retryAfterSeconds: 1 });
