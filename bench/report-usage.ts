// Preloaded into a server under measurement: reports to the parent, on request, its processor time and the bytes it allocated on
// the heap. After a request to watch, it also reports how long its event loop was blocked at most.
import { GCProfiler, getHeapStatistics } from 'node:v8';

/** The totals since the start of the process. */
export interface UsageReport {
  readonly cpuSeconds: number;
  /** Since the first report. */
  readonly allocatedBytes: number;
  /** Zero unless watched. */
  readonly longestPauseMs: number;
}

/** The interval of the checks; only longer pauses are detected. */
const lookMs = 2;
let longestPauseMs = 0;
let profiler: GCProfiler | null = null;
let heapBytes = 0;
let allocatedBytes = 0;

process.on('message', (message) => {
  if (message === 'watch') watch();
  if (message !== 'report') return;
  countAllocated();
  const { user, system } = process.cpuUsage();
  const report: UsageReport = { cpuSeconds: (user + system) / 1e6, allocatedBytes, longestPauseMs };
  process.send?.(report);
  // The report itself is no pause of the service: the statistics of many collections take tens of milliseconds.
  look();
});
process.channel?.unref();

/** The heap grows by what is allocated, between its sizes after one collection and before the next. */
function countAllocated(): void {
  for (const { beforeGC, afterGC } of profiler?.stop()?.statistics ?? []) {
    allocatedBytes += beforeGC.heapStatistics.usedHeapSize - heapBytes;
    heapBytes = afterGC.heapStatistics.usedHeapSize;
  }
  const { used_heap_size: usedBytes } = getHeapStatistics();
  if (profiler !== null) allocatedBytes += usedBytes - heapBytes;
  heapBytes = usedBytes;
  profiler = new GCProfiler();
  profiler.start();
}

let isWatching = false;
let lookedMs = 0;
let before = process.threadCpuUsage();

/** The next check measures from here. */
function look(): void {
  lookedMs = performance.now();
  before = process.threadCpuUsage();
}

/** CPU time of this thread between two checks: time that other processes used is not a pause. Another request starts again from zero. */
function watch(): void {
  longestPauseMs = 0;
  if (isWatching) return;
  isWatching = true;
  look();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    const busyMs = (user + system) / 1_000;
    longestPauseMs = Math.max(longestPauseMs, Math.min(busyMs, performance.now() - lookedMs) - lookMs);
    look();
  }, lookMs).unref();
}
