import { createYielder } from '../../platform/yielding.ts';
import type { DecisionsStore, LogFilter, LoggedRow } from './decisions-store.ts';

/** How much of the log a scan reads at most. */
export interface ScanBudget {
  readonly maxEntries?: number;
  /** The time it may take. */
  readonly forMs?: number;
  readonly monotonicMs?: () => number;
}

/** Matching entries, newest first. */
export interface LogScan extends AsyncIterable<LoggedRow> {
  /** Whether the scan reached the oldest matching entry; known when it has ended. */
  readonly complete: boolean;
}

/** Entries read at a time: few at first, as many scans end early. Each page decodes its segments again. */
const firstPage = 250;
const largestPage = 2_000;

/** Scans the logs of gates within a budget, and yields the event loop meanwhile. */
export function scanLog(
  log: Pick<DecisionsStore, 'listOf'>,
  gateIds: readonly string[],
  filter: LogFilter,
  budget: ScanBudget = {},
): LogScan {
  const { maxEntries = Number.POSITIVE_INFINITY, forMs, monotonicMs = () => performance.now() } = budget;
  const endMs = forMs === undefined ? Number.POSITIVE_INFINITY : monotonicMs() + forMs;
  let complete = false;
  async function* entries(): AsyncGenerator<LoggedRow> {
    const yieldWhenDue = createYielder(monotonicMs);
    let beforeId: string | undefined;
    let left = maxEntries;
    for (let size = firstPage; left > 0 && monotonicMs() < endMs; size = Math.min(2 * size, largestPage)) {
      const limit = Math.min(size, left);
      const rows = await log.listOf(gateIds, beforeId === undefined ? filter : { ...filter, beforeId }, limit);
      for (const row of rows) {
        const turn = yieldWhenDue();
        if (turn !== null) await turn;
        if (monotonicMs() >= endMs) return;
        yield row;
      }
      if (rows.length < limit) {
        complete = true;
        return;
      }
      left -= rows.length;
      beforeId = rows.at(-1)?.id;
    }
  }
  return {
    [Symbol.asyncIterator]: entries,
    get complete() {
      return complete;
    },
  };
}
