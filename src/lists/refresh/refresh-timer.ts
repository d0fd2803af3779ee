import { moduleBeside } from '../../files/module-beside.ts';
import { runInChild } from '../../platform/child-process.ts';
import type { Job } from '../../platform/jobs.ts';
import type { ListLog } from '../snapshot/kept-snapshot.ts';
import type { RefreshProgress } from './refresh-process.ts';
import type { RefreshHooks, RefreshOrder } from './refresh-run.ts';
import type { RefreshResult } from './refresh-source.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Instances that share a data directory, and one that restarts often, do not repeat requests that are more recent than this. */
const notWithinMs = 12 * hourMs;

export interface RefreshJobOptions {
  readonly order: Omit<RefreshOrder, 'only' | 'notWithinMs'>;
  readonly log: ListLog;
  /** Runs a refresh; in its own process by default. */
  readonly run?: (order: RefreshOrder, log: ListLog, signal: AbortSignal) => Promise<readonly RefreshResult[]>;
  /** Receives the names of the sources with a new edition, if there are any. */
  readonly onUpdated?: (sources: readonly string[]) => Promise<void>;
  /** From 0 up to 1; `Math.random` by default. */
  readonly random?: () => number;
}

/** Refreshes the lists once within the first hour and then daily. A stop ends the refresh; each file is complete or unchanged. */
export function refreshJob(options: RefreshJobOptions): Job {
  const { order, log, run = runInProcess, onUpdated, random = Math.random } = options;
  return {
    name: 'refresh-lists',
    everyMs: dayMs,
    // Spread, so that instances that start together do not download together.
    firstMs: random() * hourMs,
    failure: 'lists: the refresh failed; the last good lists stay in use',
    async run(signal) {
      const results = await run({ ...order, notWithinMs }, log, signal);
      report(results, log);
      const updated = results.filter(({ result }) => result === 'updated').map(({ source }) => source);
      if (updated.length > 0) await onUpdated?.(updated);
    },
  };
}

/** A refused source needs attention. Unreachable publishers get one line at a low level: many installations cannot reach any. */
function report(results: readonly RefreshResult[], log: ListLog): void {
  const unreached = results.filter(({ result }) => result === 'failed');
  for (const result of results) {
    if (result.result === 'refused')
      log.warn({ ...result }, 'lists: a source was refused; its last good edition stays in use');
    else if (result.result !== 'failed') log.info({ ...result }, 'lists: a source is up to date');
  }
  if (unreached.length === 0) return;
  const sources = unreached.map(({ source }) => source);
  log.info(
    { sources, reason: unreached[0]?.reason },
    'lists: publishers were not reached; the last good editions stay in use',
  );
}

/** A refresh in its own process: checking large lists and compiling a ranking would delay requests by seconds. */
export function runInProcess(
  order: RefreshOrder,
  log: ListLog,
  signal: AbortSignal,
  { onStart, onProgress, onResult }: RefreshHooks = {},
): Promise<readonly RefreshResult[]> {
  return runInChild(moduleBeside(import.meta.url, 'refresh-process'), order, {
    signal,
    onProgress(sent: RefreshProgress) {
      if (sent.kind === 'log') log[sent.level](sent.fields, sent.message);
      else if (sent.kind === 'start') onStart?.(sent.source);
      else if (sent.kind === 'progress') onProgress?.(sent.source, sent.received, sent.total);
      else onResult?.(sent.result);
    },
  });
}
