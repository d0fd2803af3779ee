import { AppError } from '../../errors.ts';

/** Runs long work one after the other, and refuses what would wait too long. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `maxWaiting` wait; each is told to come back after `retryAfterSeconds` otherwise. */
export function createOneAtATime(maxWaiting: number, retryAfterSeconds: number): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting > maxWaiting) throw new AppError('rate_limit_exceeded', { retryAfterSeconds });
    waiting += 1;
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    try {
      await before;
      return await work();
    } finally {
      waiting -= 1;
      resolve();
    }
  };
}
