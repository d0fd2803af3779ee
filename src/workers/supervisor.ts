import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Config } from '../config.ts';
import { createLog } from '../log.ts';
import type { Started } from '../main.ts';
import { createWorkerPool } from './worker-pool.ts';

/** A worker still running this long after the drain time is killed. */
const stopTimeoutMs = 12_000;

/**
 * Runs `WORKERS` processes that share the port, until a signal stops them. A worker that exits is replaced; SIGHUP replaces all
 * of them, one after the other.
 */
export async function supervise(config: Config, onStarted: (started: Started) => void): Promise<void> {
  const log = createLog({ level: config.logLevel, isTerminal: process.stderr.isTTY });
  const workers = createWorkerPool(log, config.workers);
  // All workers accept from one queue, which outlives each of them. With one queue per worker, a crash would lose its connections.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const stopRequested = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  const replaceAll = (): void => void workers.replaceAll();
  process.on('SIGHUP', replaceAll);
  try {
    // A stop does not wait for the start to finish.
    await Promise.race([stopRequested, workers.startAll(onStarted)]);
    await stopRequested;
  } finally {
    process.off('SIGHUP', replaceAll);
    await workers.stop(config.drainMs + stopTimeoutMs);
  }
}
