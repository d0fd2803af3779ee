import type { CommandIo } from '../io.ts';

/** Shows the progress of a run; disposing of it ends its line. */
export interface Meter extends Disposable {
  /** The total number of lines, and the byte of the input they reach to. */
  show(records: number, endByte: number): void;
}

/** A progress bar with rate and time left, only on a terminal. `sizeBytes` is null for a pipe, whose size is unknown. */
export function createMeter(
  stream: CommandIo['stderr'],
  sizeBytes: number | null,
  fromByte: number,
  fromRecord: number,
): Meter {
  const startedMs = performance.now();
  let isShown = false;
  return {
    show(records, endByte) {
      if (!stream.isTTY) return;
      isShown = true;
      const seconds = (performance.now() - startedMs) / 1_000;
      const rate = Math.round((records - fromRecord) / seconds).toLocaleString('en');
      const lines = `${records.toLocaleString('en')} lines, ${rate} a second`;
      const leftSeconds = ((Number(sizeBytes) - endByte) * seconds) / Math.max(endByte - fromByte, 1);
      const text = sizeBytes ? `${bar(endByte / sizeBytes)} ${lines}, ${duration(leftSeconds)} left` : lines;
      stream.write(`\r${text}\u001b[K`);
    },
    [Symbol.dispose]() {
      if (isShown) stream.write('\n');
    },
  };
}

const bar = (share: number): string => `[${'#'.repeat(Math.round(Math.min(1, share) * 30)).padEnd(30)}]`;

function duration(exactSeconds: number): string {
  const seconds = Math.max(0, Math.ceil(exactSeconds));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
