import type { CommandIo } from '../io.ts';
import type { BulkProgress } from './bulk-output.ts';

/** Shows the progress of a run; disposing of it ends its line. */
export interface Meter extends Disposable {
  /** The total number of lines, and the byte of the input they reach to. */
  show(records: number, endByte: number): void;
}

/** Between two lines where there is no terminal: a log of a long run stays short. */
const lineEveryMs = 10_000;

/**
 * The progress with rate and time left: a bar on a terminal, a line every 10 seconds elsewhere. `sizeBytes` is null for a pipe, whose
 * size is unknown.
 */
export function createMeter(
  stream: CommandIo['stderr'],
  sizeBytes: number | null,
  before: Pick<BulkProgress, 'inputBytes' | 'records'>,
  monotonicMs: () => number = () => performance.now(),
): Meter {
  const startedMs = monotonicMs();
  let shownMs = startedMs;
  let isShown = false;
  return {
    show(records, endByte) {
      const nowMs = monotonicMs();
      if (!stream.isTTY && nowMs - shownMs < lineEveryMs) return;
      shownMs = nowMs;
      const seconds = (nowMs - startedMs) / 1_000;
      const rate = Math.round((records - before.records) / seconds).toLocaleString('en');
      const lines = `${records.toLocaleString('en')} lines, ${rate} a second`;
      const leftSeconds = ((Number(sizeBytes) - endByte) * seconds) / Math.max(endByte - before.inputBytes, 1);
      const share = sizeBytes ? endByte / sizeBytes : 0;
      const left = sizeBytes ? `, ${duration(leftSeconds)} left` : '';
      if (!stream.isTTY) {
        stream.write(`${lines}${sizeBytes ? `, ${Math.floor(share * 100)} %` : ''}${left}\n`);
        return;
      }
      isShown = true;
      stream.write(`\r${sizeBytes ? `${bar(share)} ` : ''}${lines}${left}\u001b[K`);
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
