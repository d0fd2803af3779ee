/** A bounded number of places, and a bounded queue of those who wait for one. */
export interface Places {
  /** True with a place, which must be given back with `leave`; false when the queue is full or `signal` came first. */
  enter(signal?: AbortSignal): boolean | Promise<boolean>;
  leave(): void;
  taken(): number;
  waiting(): number;
}

/** Places for `max`, with room for `maxWaiting` in the queue. */
export function createPlaces(max: number, maxWaiting: number): Places {
  const queue = new Set<() => void>();
  let taken = 0;

  function wait(signal?: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    function admit(): void {
      signal?.removeEventListener('abort', giveUp);
      resolve(true);
    }
    function giveUp(): void {
      queue.delete(admit);
      resolve(false);
    }
    queue.add(admit);
    signal?.addEventListener('abort', giveUp, { once: true });
    return promise;
  }

  return {
    enter(signal) {
      if (signal?.aborted) return false;
      if (taken < max) {
        taken++;
        return true;
      }
      return queue.size < maxWaiting && wait(signal);
    },
    leave() {
      const [next] = queue;
      if (next === undefined) {
        taken--;
        return;
      }
      queue.delete(next);
      next();
    },
    taken: () => taken,
    waiting: () => queue.size,
  };
}
