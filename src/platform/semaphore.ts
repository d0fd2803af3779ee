/** A counting semaphore with a bounded queue. */
export interface Semaphore {
  /** True once a slot is held, which the caller must `release`; false when the queue is full or `signal` aborts first. */
  acquire(signal?: AbortSignal): boolean | Promise<boolean>;
  release(): void;
  held(): number;
  /** Whether the next caller has to wait. */
  isFull(): boolean;
  waiting(): number;
}

/** A semaphore with `max` slots; at most `maxWaiting` callers queue for one. */
export function createSemaphore(max: number, maxWaiting: number): Semaphore {
  const queue = new Set<() => void>();
  let held = 0;

  function wait(signal?: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    function admit(): void {
      signal?.removeEventListener('abort', leave);
      resolve(true);
    }
    function leave(): void {
      queue.delete(admit);
      resolve(false);
    }
    queue.add(admit);
    signal?.addEventListener('abort', leave, { once: true });
    return promise;
  }

  return {
    acquire(signal) {
      if (signal?.aborted) return false;
      if (held < max) {
        held++;
        return true;
      }
      return queue.size < maxWaiting && wait(signal);
    },
    release() {
      const [next] = queue;
      if (next === undefined) {
        held--;
        return;
      }
      queue.delete(next);
      next();
    },
    held: () => held,
    isFull: () => held >= max,
    waiting: () => queue.size,
  };
}
