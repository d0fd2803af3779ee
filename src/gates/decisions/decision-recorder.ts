import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { Evaluation } from '../rules/evaluate.ts';
import type { Rule } from '../rules/rule.ts';
import type { Decision } from './decision.ts';
import { createDecisionCounts } from './decision-counts.ts';
import type { DecisionsStore, LoggedRow } from './decisions-store.ts';

/** Keeps decisions until they are written, without delaying any request. */
export interface DecisionRecorder {
  record(decision: Decision, evaluation: Evaluation<Rule>): void;
  /** Writes everything recorded before the call; rejects when the storage is away, and then nothing is lost. */
  flush(): Promise<void>;
  /** Like a flush, as far as the storage allows. */
  settle(): Promise<void>;
  readonly waiting: number;
}

/** What recording needs. */
export interface RecorderOptions {
  readonly store: Pick<DecisionsStore, 'write'>;
  /** A decision as it is logged; null keeps no log, and decisions are only counted. */
  readonly toRow: ((decision: Decision) => LoggedRow) | null;
  /** Log entries that will never be written, and why: no room for them, or a failure that another try would meet again. */
  readonly onDropped: (entries: number, error: unknown) => void;
  readonly maxWaiting?: number;
}

/** About 40 MB of entries; a storage that is away for long must not fill the memory. */
const defaultMaxWaiting = 20_000;
/**
 * Rows in one transaction; requests are served in between. As soon as there are so many they are written: entries that
 * wait for long outlive the memory for short-lived things, and the collector has to move them.
 */
const rowsAtOnce = 500;

/** Counts every decision, and logs as many as there is room for. */
export function createDecisionRecorder(options: RecorderOptions): DecisionRecorder {
  const { store, toRow, onDropped, maxWaiting = defaultMaxWaiting } = options;
  const counts = createDecisionCounts();
  let waiting: Decision[] = [];
  let noRoomFor = 0;
  let underWay: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  const writeSome = async (some: readonly Decision[]): Promise<void> => {
    const counted = counts.take();
    if (counted.length === 0 && some.length === 0) return;
    try {
      await store.write(toRow === null ? [] : some.map(toRow), counted);
    } catch (error) {
      // A storage that is away comes back; anything else would fail again and hold up all that comes after.
      if (!(error instanceof AppError) || error.code !== 'service_unavailable') {
        onDropped(some.length, error);
        return;
      }
      counts.giveBack(counted);
      throw error;
    }
  };
  const write = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    if (noRoomFor > 0) onDropped(noRoomFor, null);
    noRoomFor = 0;
    for (let start = 0; start === 0 || start < batch.length; start += rowsAtOnce) {
      if (start > 0) await nextTurn();
      try {
        await writeSome(batch.slice(start, start + rowsAtOnce));
      } catch (error) {
        const all = batch.slice(start).concat(waiting);
        waiting = all.slice(0, maxWaiting);
        noRoomFor += all.length - waiting.length;
        throw error;
      }
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
      if (waiting.length >= maxWaiting) {
        noRoomFor += 1;
        return;
      }
      waiting.push(decision);
      if (waiting.length % rowsAtOnce === 0 && underWay === null) begin().catch(ignore);
    },
    flush,
    settle: () => flush().catch(ignore),
    get waiting() {
      return waiting.length;
    },
  };
}

/** What could not be written is kept; the next flush of the timer meets the failure again and reports it. */
function ignore(): void {}
