import { AsyncLocalStorage } from 'node:async_hooks';

/** A lock that lets its takers through one at a time, in the order they came. */
export interface Turn {
  /** Waits for the turn and gives back the function that ends it. */
  take(): Promise<() => void>;
  /** Runs work whose own calls of `take` are refused; otherwise it would wait for itself for ever. */
  guard<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes a lock that nobody holds. */
export function createTurn(): Turn {
  const holder = new AsyncLocalStorage<{ holds: boolean }>();
  let last: Promise<void> = Promise.resolve();
  return {
    async take() {
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
