import { AppError } from '../../errors.ts';
import { createSemaphore, type Semaphore } from '../../platform/semaphore.ts';

/** Runs the long work of one account one after the other, and refuses what would wait too long. */
export type OneAtATime = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** At most `maxWaiting` wait; each is told to come back after `retryAfterSeconds` otherwise. */
export function createOneAtATime(maxWaiting: number, retryAfterSeconds: number): OneAtATime {
  const byAccount = new Map<string, Semaphore>();
  return async (accountId, work) => {
    const semaphore = byAccount.get(accountId) ?? createSemaphore(1, maxWaiting);
    byAccount.set(accountId, semaphore);
    if (!(await semaphore.acquire())) throw new AppError('rate_limit_exceeded', { retryAfterSeconds });
    try {
      return await work();
    } finally {
      semaphore.release();
      if (semaphore.held() === 0) byAccount.delete(accountId);
    }
  };
}
