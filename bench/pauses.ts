import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the event loop was blocked between two iterations, garbage collection included. */
export interface Pauses {
  /** Yields to the event loop; call it so often that the work in between does not count. */
  turn(): Promise<void>;
  /** The longest in wall-clock time, which includes other programs of the machine. */
  longestMs(): number;
  /** The longest in CPU time of this thread. */
  longestBusyMs(): number;
}

/** Starts to measure pauses. */
export function measurePauses(): Pauses {
  let longestMs = 0;
  let longestBusyMs = 0;
  let startedMs = performance.now();
  let before = process.threadCpuUsage();
  return {
    async turn() {
      await nextTurn();
      const { user, system } = process.threadCpuUsage(before);
      longestMs = Math.max(longestMs, performance.now() - startedMs);
      longestBusyMs = Math.max(longestBusyMs, (user + system) / 1_000);
      startedMs = performance.now();
      before = process.threadCpuUsage();
    },
    longestMs: () => longestMs,
    longestBusyMs: () => longestBusyMs,
  };
}
