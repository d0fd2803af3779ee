/** Runs work at the end of this iteration of the event loop, or of a later one. */
export type Enqueue = (work: () => void) => void;

/**
 * Runs queued work in the order of its arrival, at most `perIteration` pieces in one iteration of the event loop. So requests that
 * were read together run together as a batch, which `onBatch` announces, and other connections are read before those beyond the limit run: see
 * docs/decisions/0030-requests-in-cohorts.md, which has the gain.
 */
export function createRequestQueue(perIteration: number, onBatch: () => void = () => {}): Enqueue {
  let waiting: (() => void)[] = [];
  const runSome = (): void => {
    const some = waiting;
    // New work belongs to the next iteration.
    waiting = some.length > perIteration ? some.splice(perIteration) : [];
    if (waiting.length > 0) setImmediate(runSome);
    onBatch();
    for (const work of some) work();
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(runSome);
  };
}
