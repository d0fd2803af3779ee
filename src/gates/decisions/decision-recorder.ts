import { AppError } from '../../errors.ts';
import { yieldToEventLoop } from '../../platform/yielding.ts';
import type { Evaluation } from '../rules/evaluate.ts';
import type { Rule } from '../rules/rule.ts';
import type { Decision } from './decision.ts';
import { createDecisionCounts, type HourCounts } from './decision-counts.ts';
import { type EntryBatch, fullBatch, type LoggedRow } from './decisions-store.ts';

/** Keeps decisions until they are written, without delaying any request. */
export interface DecisionRecorder {
  record(decision: Decision, evaluation: Evaluation<Rule>): void;
  /** Writes everything recorded before the call; rejects when the storage is away, and then nothing is lost. */
  flush(): Promise<void>;
  /** A flush, unless everything that waits came since the call before. */
  flushOld(): Promise<void>;
  /** Like a flush, as far as the storage allows. */
  settle(): Promise<void>;
  readonly waiting: number;
}

/** Where decisions are written. */
export interface RecordedIn {
  openBatch(): EntryBatch;
  write(batch: EntryBatch, counts: readonly HourCounts[]): Promise<void>;
}

/** What recording needs. */
export interface RecorderOptions {
  readonly store: RecordedIn;
  /** A decision as it is logged; null keeps no log, and decisions are only counted. */
  readonly toRow: ((decision: Decision) => LoggedRow) | null;
  /** Log entries that will never be written, and why: no room for them, or a failure that another try would meet again. */
  readonly onDropped: (entries: number, error: unknown) => void;
  readonly maxWaiting?: number;
}

/** About 10 MB of entries; a storage that is away for long must not fill the memory. */
const defaultMaxWaiting = 20_000;

/** Counts every decision, and logs as many as there is room for. */
export function createDecisionRecorder(options: RecorderOptions): DecisionRecorder {
  const { store, toRow, onDropped, maxWaiting = defaultMaxWaiting } = options;
  const counts = createDecisionCounts();
  /** Takes what is recorded. */
  let open = store.openBatch();
  /** Batches that nothing is added to any more, the oldest first. One that failed is tried again as it is: it may have arrived, and is known again then. */
  const closed: EntryBatch[] = [];
  let waiting = 0;
  let noRoomFor = 0;
  /** At the last look at what is old, or since then, all that waited was taken to be written. */
  let tookAll = false;
  let underWay: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  const takeOpen = (): EntryBatch => {
    const taken = open;
    open = store.openBatch();
    return taken;
  };
  const writeOne = async (batch: EntryBatch): Promise<void> => {
    const counted = counts.take();
    if (counted.length === 0 && batch.length === 0) return;
    try {
      await store.write(batch, counted);
    } catch (error) {
      // A storage that is away comes back; anything else would fail again and hold up all that comes after.
      if (error instanceof AppError && error.code === 'service_unavailable') {
        counts.giveBack(counted);
        closed.unshift(batch);
        throw error;
      }
      onDropped(batch.length, error);
    }
  };
  /** Writes what waits, in batches as full as they can be; requests are served in between. */
  const write = async (): Promise<void> => {
    if (noRoomFor > 0) onDropped(noRoomFor, null);
    noRoomFor = 0;
    for (let left = waiting; ; await yieldToEventLoop()) {
      const batch = closed.shift() ?? takeOpen();
      await writeOne(batch);
      waiting -= batch.length;
      left -= batch.length;
      batch.release();
      if (left <= 0) return;
    }
  };
  const begin = (): Promise<void> => {
    const begun = write().finally(() => {
      if (underWay === begun) underWay = null;
    });
    underWay = begun;
    return begun;
  };
  const flush = (): Promise<void> => {
    if (underWay === null) return begin();
    // The one under way may have begun before the last decisions were made.
    next ??= underWay.catch(ignore).then(() => {
      next = null;
      return begin();
    });
    return next;
  };
  return {
    record(decision, evaluation) {
      counts.add(decision, evaluation);
      if (toRow === null) return;
      if (waiting >= maxWaiting) {
        noRoomFor += 1;
        return;
      }
      open.add(toRow(decision));
      waiting += 1;
      if (open.length < fullBatch) return;
      closed.push(takeOpen());
      if (underWay !== null) return;
      tookAll = true;
      begin().catch(ignore);
    },
    flush,
    async flushOld() {
      const isYoung = tookAll;
      tookAll = !isYoung;
      if (!isYoung) await flush();
    },
    settle: () => flush().catch(ignore),
    get waiting() {
      return waiting;
    },
  };
}

/** What could not be written is kept; the next flush of the timer meets the failure again and reports it. */
function ignore(): void {}
