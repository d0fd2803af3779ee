// Preloaded into a server under measurement: reports its CPU time to the parent on request. After a request to watch, it also
// reports how long its event loop was blocked at most.

/** The report to the parent. */
export interface CpuReport {
  readonly cpuSeconds: number;
  /** Zero unless watched. */
  readonly longestPauseMs: number;
}

/** The interval of the checks; only longer pauses are detected. */
const lookMs = 2;
let longestPauseMs = 0;

process.on('message', (message) => {
  if (message === 'watch') watch();
  if (message !== 'cpu') return;
  const { user, system } = process.cpuUsage();
  const report: CpuReport = { cpuSeconds: (user + system) / 1e6, longestPauseMs };
  process.send?.(report);
});
process.channel?.unref();

/** CPU time of this thread between two checks: time that other processes used is not a pause. */
function watch(): void {
  let lookedMs = performance.now();
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    const busyMs = (user + system) / 1_000;
    longestPauseMs = Math.max(longestPauseMs, Math.min(busyMs, performance.now() - lookedMs) - lookMs);
    lookedMs = performance.now();
    before = process.threadCpuUsage();
  }, lookMs).unref();
}
