// Loaded before a server under measurement: tells its parent how much processor time it has used, on request. Once it is told to
// watch, it also tells how long its event loop was held at most.

/** What the parent reads. */
export interface CpuReport {
  readonly cpuSeconds: number;
  /** Zero unless it was watched. */
  readonly longestPauseMs: number;
}

/** How often the loop is looked at; a pause is longer than that. */
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

/** Time between two looks in which this thread computed: what others took of the processor is no pause of ours. */
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
