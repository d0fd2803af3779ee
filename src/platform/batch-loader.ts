/** Below this number of batches in flight, a query is sent immediately. */
const maxConcurrentBatches = 3;
/** The longest a query waits for a free batch: batches without a response must not block the queries behind them. */
const maxWaitMs = 100;
const maxBatchSize = 100;

/** A query and its caller's promise. */
interface Pending<Query, Result> {
  readonly query: Query;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches queries for a source where many cost hardly more than one, such as a database over the network: queries that arrive
 * while others are in flight are sent together. `load` returns one result per query, in their order; when it fails, the whole
 * batch fails.
 */
export function createBatchLoader<Query, Result>(
  load: (queries: readonly Query[]) => Promise<readonly Result[]>,
): (query: Query) => Promise<Result> {
  const pending: Pending<Query, Result>[] = [];
  let workers = 0;
  let overdue: NodeJS.Timeout | undefined;

  const startWorker = (): void => {
    workers += 1;
    // Deferred, so that queries of the same synchronous run share a batch.
    queueMicrotask(runWorker);
  };
  /** The next batch; the queries behind it must not wait too long either. */
  const takeBatch = (): Pending<Query, Result>[] => {
    clearTimeout(overdue);
    const batch = pending.splice(0, maxBatchSize);
    overdue = pending.length > 0 ? setTimeout(startWorker, maxWaitMs) : undefined;
    return batch;
  };
  const loadBatch = async (batch: readonly Pending<Query, Result>[]): Promise<void> => {
    try {
      const results = await load(batch.map(({ query }) => query));
      if (results.length !== batch.length) throw new RangeError(`${batch.length} queries, ${results.length} results`);
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const runWorker = async (): Promise<void> => {
    while (pending.length > 0) {
      await loadBatch(takeBatch());
      // An extra worker, started because the others got no response, ends after one batch; otherwise their number would grow.
      if (workers > maxConcurrentBatches) break;
    }
    workers -= 1;
  };

  return (query) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    pending.push({ query, resolve, reject });
    if (workers < maxConcurrentBatches) startWorker();
    else overdue ??= setTimeout(startWorker, maxWaitMs);
    return promise;
  };
}
