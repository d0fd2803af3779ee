import { threadCpuMs } from '../../platform/low-priority.ts';
import { createYielder } from '../../platform/yielding.ts';
import type { ListEntries, LogFilter, LoggedRow } from './decisions-store.ts';

/** The budget of a scan. */
export interface ScanBudget {
  readonly maxEntries?: number;
  /** The processor time it may use. Waiting for a turn is not counted: two scans of one span should read the same entries. */
  readonly forMs?: number;
  readonly monotonicMs?: () => number;
  readonly cpuMs?: () => number;
}

/** Matching entries, newest first. */
export interface LogScan extends AsyncIterable<LoggedRow> {
  /** Whether the scan read every matching entry: it reached the oldest, and no damaged part of the log was skipped. Known when it has ended. */
  readonly complete: boolean;
}

/** Entries read at a time: few at first, as many scans end early. Each page decodes its segments again. */
const firstPage = 250;
const largestPage = 2_000;

/** Scans the logs of gates within a budget, and yields the event loop meanwhile. */
export function scanLog(
  log: { readonly listOf: ListEntries },
  gateIds: readonly string[],
  filter: LogFilter,
  budget: ScanBudget = {},
): LogScan {
  const {
    maxEntries = Number.POSITIVE_INFINITY,
    forMs = Number.POSITIVE_INFINITY,
    monotonicMs = () => performance.now(),
  } = budget;
  const { cpuMs = threadCpuMs } = budget;
  let complete = false;
  let isMissing = false;
  const noteMissing = (): void => {
    isMissing = true;
  };
  async function* entries(): AsyncGenerator<LoggedRow> {
    const yieldWhenDue = createYielder(monotonicMs);
    let beforeId: string | undefined;
    let left = maxEntries;
    let endMs = cpuMs() + forMs;
    for (let size = firstPage; left > 0 && cpuMs() < endMs; size = Math.min(2 * size, largestPage)) {
      const limit = Math.min(size, left);
      const within = beforeId === undefined ? filter : { ...filter, beforeId };
      const rows = await log.listOf(gateIds, within, limit, noteMissing);
      for (const row of rows) {
        const turn = yieldWhenDue();
        if (turn !== null) {
          const leftMs = endMs - cpuMs();
          if (leftMs <= 0) return;
          await turn;
          endMs = cpuMs() + leftMs;
        }
        yield row;
      }
      if (rows.length < limit) {
        complete = !isMissing;
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
