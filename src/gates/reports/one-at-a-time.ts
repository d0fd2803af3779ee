import { AppError } from '../../errors.ts';
import { createPlaces, type Places } from '../../memory/places.ts';

/** Runs the long work of one account one after the other, and refuses what would wait too long. */
export type OneAtATime = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** At most `maxWaiting` wait; each is told to come back after `retryAfterSeconds` otherwise. */
export function createOneAtATime(maxWaiting: number, retryAfterSeconds: number): OneAtATime {
  const byAccount = new Map<string, Places>();
  return async (accountId, work) => {
    const places = byAccount.get(accountId) ?? createPlaces(1, maxWaiting);
    byAccount.set(accountId, places);
    if (!(await places.enter())) throw new AppError('rate_limit_exceeded', { retryAfterSeconds });
    try {
      return await work();
    } finally {
      places.leave();
      if (places.taken() === 0) byAccount.delete(accountId);
    }
  };
}
