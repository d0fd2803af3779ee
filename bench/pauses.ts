import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the loop was held between two turns, garbage collection included. */
export interface Pauses {
  /** Lets others have their turn; to be called often enough that the work in between counts for nothing. */
  turn(): Promise<void>;
  /** The longest in wall-clock time, in which other programs of the machine may have run too. */
  longestMs(): number;
  /** The longest in processor time of this thread. */
  longestBusyMs(): number;
}

/** Measures pauses from now on. */
export function measurePauses(): Pauses {
  let longestMs = 0;
  let longestBusyMs = 0;
  let beganMs = performance.now();
  let before = process.threadCpuUsage();
  return {
    async turn() {
      await nextTurn();
      const { user, system } = process.threadCpuUsage(before);
      longestMs = Math.max(longestMs, performance.now() - beganMs);
      longestBusyMs = Math.max(longestBusyMs, (user + system) / 1_000);
      beganMs = performance.now();
      before = process.threadCpuUsage();
    },
    longestMs: () => longestMs,
    longestBusyMs: () => longestBusyMs,
  };
}
