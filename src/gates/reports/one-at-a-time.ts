import { AppError } from '../../errors.ts';
import { createPlaces } from '../../memory/places.ts';

/** Runs long work one after the other, and refuses what would wait too long. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `maxWaiting` wait; each is told to come back after `retryAfterSeconds` otherwise. */
export function createOneAtATime(maxWaiting: number, retryAfterSeconds: number): OneAtATime {
  const places = createPlaces(1, maxWaiting);
  return async (work) => {
    if (!(await places.enter())) throw new AppError('rate_limit_exceeded', { retryAfterSeconds });
    try {
      return await work();
    } finally {
      places.leave();
    }
  };
}
