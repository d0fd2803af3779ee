import { setImmediate as nextTurn } from 'node:timers/promises';

/** What the loop was held by others, between two turns of this one. */
export interface Pauses {
  /** Lets others have their turn, and measures how long they take it. */
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
  return {
    async turn() {
      const beganMs = performance.now();
      const before = process.threadCpuUsage();
      await nextTurn();
      const { user, system } = process.threadCpuUsage(before);
      longestMs = Math.max(longestMs, performance.now() - beganMs);
      longestBusyMs = Math.max(longestBusyMs, (user + system) / 1_000);
    },
    longestMs: () => longestMs,
    longestBusyMs: () => longestBusyMs,
  };
}
