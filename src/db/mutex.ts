import { AsyncLocalStorage } from 'node:async_hooks';

/** A lock with one holder at a time, in the order of the calls. */
export interface Mutex {
  /** Resolves with the function that releases the lock. */
  acquire(): Promise<() => void>;
  /** Runs the holder's work. A call of `acquire` inside it throws: it would wait for itself for ever. */
  guard<T>(work: () => Promise<T>): Promise<T>;
}

export function createMutex(): Mutex {
  const holder = new AsyncLocalStorage<{ holds: boolean }>();
  let last: Promise<void> = Promise.resolve();
  return {
    async acquire() {
      if (holder.getStore()?.holds) {
        throw new Error('inside a transaction, use the transaction and not the database: it would wait for itself');
      }
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      return resolve;
    },
    async guard(work) {
      const state = { holds: true };
      try {
        return await holder.run(state, work);
      } finally {
        state.holds = false;
      }
    },
  };
}
