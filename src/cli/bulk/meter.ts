/** Shows how far a run has come: lines in all, and the byte of the input they reach to. */
export type Meter = (records: number, endByte: number) => void;

/** A bar with rate and time left, on a terminal alone. `sizeBytes` is null for a pipe, which nobody knows the end of. */
export function createMeter(sizeBytes: number | null, fromByte: number, fromRecord: number): Meter {
  const startedMs = performance.now();
  return (records, endByte) => {
    if (!process.stderr.isTTY) return;
    const seconds = (performance.now() - startedMs) / 1_000;
    const rate = Math.round((records - fromRecord) / seconds).toLocaleString('en');
    const lines = `${records.toLocaleString('en')} lines, ${rate} a second`;
    if (sizeBytes === null || sizeBytes === 0) {
      process.stderr.write(`\r${lines}\u001b[K`);
      return;
    }
    const share = Math.min(1, endByte / sizeBytes);
    const leftSeconds = Math.ceil(((sizeBytes - endByte) * seconds) / Math.max(endByte - fromByte, 1));
    const bar = '#'.repeat(Math.round(share * 30)).padEnd(30);
    process.stderr.write(`\r[${bar}] ${lines}, ${duration(Math.max(0, leftSeconds))} left\u001b[K`);
  };
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
