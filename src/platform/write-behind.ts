import { AppError } from '../errors.ts';
import { yieldToEventLoop } from './yielding.ts';

/** Entries that wait to be written, in whatever form suits their feature. */
export interface PendingEntries<Batch> {
  /** How many entries wait. */
  size(): number;
  /** Removes and returns the oldest entries, at most `limit` of them; null when none wait. */
  take(limit: number): Batch | null;
  /** Takes entries back that storage could not accept. Newer entries for the same key win. */
  putBack(batch: Batch): void;
}

export interface WriteBehindOptions<Batch> {
  /** Names the buffer in metrics, logs and `signalpost doctor`: lower-case words with underscores. */
  readonly name: string;
  readonly pending: PendingEntries<Batch>;
  /** Entries per write; the event loop runs between two writes. */
  readonly batchSize: number;
  readonly flushEveryMs: number;
  /**
   * With very many pending entries, flushes wait longer so that repeated changes of one entry become one write. The delay is
   * `perEntryMs` for each entry, at most `maxMs`; none while `isAllowed` says no.
   */
  readonly delay?: { readonly perEntryMs: number; readonly maxMs: number; isAllowed?(): boolean };
  /** Logged when a flush fails. */
  readonly failure: string;
  /** Runs before each flush, to collect entries that are not pending yet. */
  beforeFlush?(): Promise<void>;
  write(batch: Batch): Promise<void>;
  /** Storage is available and rejects these entries. Unless given, they stay pending and the flush fails. */
  onRejected?(batch: Batch, error: unknown): void;
  readonly monotonicMs?: () => number;
}

/** Writes entries in batches, behind the requests that made them. */
export interface WriteBehind<Batch = unknown> {
  readonly name: string;
  readonly flushEveryMs: number;
  readonly failure: string;
  /** Entries that are not written yet, those of the write in progress included. */
  pending(): number;
  isFlushing(): boolean;
  /** Writes every entry added before the call; rejects when storage is unavailable, and then every entry stays pending. */
  flush(): Promise<void>;
  /** A flush, unless the pending entries may wait longer. */
  flushWhenDue(): Promise<void>;
  /** Writes this batch as soon as the write in progress has ended; handles failures as a flush does. */
  writeNow(batch: Batch): Promise<void>;
}

/** The one buffer between requests and storage: single flight, bounded batches, retry while storage is unavailable. */
export function createWriteBehind<Batch extends { readonly length: number }>(
  options: WriteBehindOptions<Batch>,
): WriteBehind<Batch> {
  const {
    name,
    pending,
    batchSize,
    flushEveryMs,
    delay,
    failure,
    monotonicMs = performance.now.bind(performance),
  } = options;
  let flushedAtMs = monotonicMs();
  let inProgress: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let lastWrite: Promise<void> = Promise.resolve();
  /** Entries of the batches that are being written. */
  let writing = 0;

  const write = async (batch: Batch): Promise<void> => {
    const { length } = batch;
    writing += length;
    try {
      await options.write(batch);
    } catch (error) {
      if (options.onRejected === undefined || isUnavailable(error)) {
        pending.putBack(batch);
        throw error;
      }
      options.onRejected(batch, error);
    } finally {
      writing -= length;
    }
  };
  /** One write at a time, so that a batch that is put back never follows a newer one. */
  const writeInTurn = (batch: Batch): Promise<void> => {
    const written = lastWrite.then(() => write(batch));
    lastWrite = written.catch(() => {});
    return written;
  };
  const writeAll = async (): Promise<void> => {
    flushedAtMs = monotonicMs();
    await options.beforeFlush?.();
    // Entries that arrive meanwhile wait for the next flush: each batch is a transaction.
    for (let left = pending.size(); left > 0; ) {
      const batch = pending.take(Math.min(left, batchSize));
      if (batch === null) return;
      left -= Math.max(1, batch.length);
      await writeInTurn(batch);
      if (left > 0) await yieldToEventLoop();
    }
  };
  const start = (): Promise<void> => {
    const started = writeAll().finally(() => {
      if (inProgress === started) inProgress = null;
    });
    inProgress = started;
    return started;
  };
  const flush = (): Promise<void> => {
    if (inProgress === null) return start();
    // The flush in progress may have started before the caller's entries were added.
    next ??= inProgress
      .catch(() => {})
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
  const isDue = (): boolean => {
    if (delay === undefined || delay.isAllowed?.() === false) return true;
    return monotonicMs() - flushedAtMs >= Math.min(pending.size() * delay.perEntryMs, delay.maxMs);
  };
  return {
    name,
    flushEveryMs,
    failure,
    pending: () => pending.size() + writing,
    isFlushing: () => inProgress !== null,
    flush,
    async flushWhenDue() {
      if (isDue()) await flush();
    },
    writeNow: writeInTurn,
  };
}

/** Storage that is unavailable comes back; any other failure would recur and block the entries behind it. */
function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'service_unavailable';
}
