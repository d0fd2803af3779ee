import { createWriteBehind, type WriteBehind } from '../../platform/write-behind.ts';
import type { Evaluation } from '../rules/evaluate.ts';
import type { Rule } from '../rules/rule.ts';
import type { Decision } from './decision.ts';
import { createDecisionCounts, type HourCounts } from './decision-counts.ts';
import { type EntryBatch, fullBatch, type LoggedRow } from './decisions-store.ts';

/** Counts and logs decisions behind the requests that made them. */
export interface DecisionRecorder {
  readonly buffer: WriteBehind;
  record(decision: Decision, evaluation: Evaluation<Rule>): void;
  /** Writes every decision recorded before the call as far as storage allows; for readers of the log. */
  tryFlush(): Promise<void>;
}

/** Where decisions are written. */
export interface RecordedIn {
  openBatch(): EntryBatch;
  write(batch: EntryBatch, counts: readonly HourCounts[]): Promise<void>;
}

export interface RecorderOptions {
  readonly store: RecordedIn;
  /** A decision as it is logged; null keeps no log, and decisions are only counted. */
  readonly toRow: ((decision: Decision) => LoggedRow) | null;
  /** Lost log entries: storage rejected them, or (error null) the buffer was full. */
  readonly onDropped: (entries: number, error: unknown) => void;
  readonly maxPending?: number;
}

/** About 10 MB of entries. */
const defaultMaxPending = 20_000;
/** The pause between two writes. A kill -9 also loses the write in progress, so it is half of the 0.4 s that the documents name. */
const flushEveryMs = 200;

interface RecordedBatch {
  readonly length: number;
  readonly entries: EntryBatch;
  readonly counts: readonly HourCounts[];
}

/** Counts every decision, and logs as many as the buffer has room for. */
export function createDecisionRecorder(options: RecorderOptions): DecisionRecorder {
  const { store, toRow, onDropped, maxPending = defaultMaxPending } = options;
  const counts = createDecisionCounts();
  let open = store.openBatch();
  /** Full and failed batches, oldest first. A failed batch is retried unchanged: its write may have succeeded, and storage recognises it. */
  const closed: EntryBatch[] = [];
  let waiting = 0;
  let overflow = 0;

  const takeOpen = (): EntryBatch => {
    const taken = open;
    open = store.openBatch();
    return taken;
  };
  const buffer = createWriteBehind<RecordedBatch>({
    name: 'decisions',
    pending: {
      // Without a log there are counts without entries.
      size: () => Math.max(waiting, Math.min(1, counts.size)),
      take() {
        const entries = closed.shift() ?? takeOpen();
        waiting -= entries.length;
        return { length: entries.length, entries, counts: counts.take() };
      },
      putBack({ entries, counts: counted }) {
        counts.putBack(counted);
        waiting += entries.length;
        closed.unshift(entries);
      },
    },
    batchSize: fullBatch,
    flushEveryMs,
    failure: 'decisions are not written to the log yet',
    async beforeFlush() {
      if (overflow > 0) onDropped(overflow, null);
      overflow = 0;
    },
    async write({ entries, counts: counted }) {
      await store.write(entries, counted);
      entries.release();
    },
    onRejected({ entries }, error) {
      onDropped(entries.length, error);
      entries.release();
    },
  });
  // The scheduled flush meets the same failure and reports it.
  const tryFlush = (): Promise<void> => buffer.flush().catch(() => {});
  return {
    buffer,
    record(decision, evaluation) {
      counts.add(decision, evaluation);
      if (toRow === null) return;
      if (buffer.pending() >= maxPending) {
        overflow += 1;
        return;
      }
      open.add(toRow(decision));
      waiting += 1;
      if (open.length < fullBatch) return;
      closed.push(takeOpen());
      if (!buffer.isFlushing()) void tryFlush();
    },
    tryFlush,
  };
}
