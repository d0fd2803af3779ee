import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createMemoryCounts } from '../limits/memory-counts.ts';
import { createLog } from '../log.ts';
import type { Started } from '../main.ts';
import { type Call, connectCalls } from './calls.ts';
import { joinMetrics } from './joined-metrics.ts';

/** A worker that serves, or is about to. */
interface Running {
  readonly worker: Worker;
  readonly call: Call;
  /** Resolves when it listens; rejects when it ended before. */
  readonly started: Promise<Started>;
  /** By what name it holds things in the storage; null before it said so. */
  name(): string | null;
}

/** One that keeps ending at once is started again no more often than this. */
const shortestLifeMs = 1_000;
/** A worker that did not end by itself long after it was told to is ended. */
const endLimitMs = 12_000;
const metricsLimitMs = 1_000;

/**
 * Runs `WORKERS` processes that share the port, until a signal stops them. One that ends is replaced; SIGHUP replaces all of
 * them, one after the other.
 */
export async function supervise(config: Config, onStarted: (started: Started) => void): Promise<void> {
  const log = createLog({ level: config.logLevel, pretty: process.stderr.isTTY && !config.production });
  const workers = createWorkers(log, config.workers);
  // All workers take connections from one queue, which outlives each of them: with a queue each, those in it would be lost.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const stopRequested = once(process, 'SIGTERM');
  const interrupted = once(process, 'SIGINT');
  // The first makes the database, the lists and the first account; the others find them.
  onStarted(await workers.start(0));
  await Promise.all(Array.from({ length: config.workers - 1 }, (_, slot) => workers.start(slot + 1)));
  log.info({ workers: config.workers }, 'all workers listen');
  const restart = (): void => void workers.replaceAll();
  process.on('SIGHUP', restart);
  await Promise.race([stopRequested, interrupted]);
  process.off('SIGHUP', restart);
  await workers.stop(config.drainMs + endLimitMs);
}

function createWorkers(log: Logger, processes: number) {
  const counts = createMemoryCounts(() => performance.now(), processes);
  const running = new Map<number, Running>();
  let isStopping = false;
  let replacing: Promise<void> = Promise.resolve();

  const allMetrics = async (): Promise<string> => {
    const texts = new Map<number, string>();
    const gather = [...running].map(async ([slot, { call }]) => {
      // One that does not answer is missing from the text, and its absence says so.
      const text = await Promise.race([call('ownMetrics'), sleep(metricsLimitMs, '', { ref: false })]).catch(() => '');
      texts.set(slot, String(text));
    });
    await Promise.all(gather);
    return joinMetrics(new Map([...texts].sort(([one], [other]) => one - other)));
  };

  const fork = (slot: number): Running => {
    // One process downloads for all of them: the files are taken over by each.
    const worker = cluster.fork(slot === 0 ? {} : { LISTS_REFRESH: 'off' });
    const { promise: started, resolve, reject } = Promise.withResolvers<Started>();
    let name: string | null = null;
    const call = connectCalls(lineTo(worker), {
      ...counts,
      allMetrics,
      introduce: async (told: string) => {
        name = told;
      },
      started: async (told: Started) => resolve(told),
    });
    worker.once('exit', () => reject(new Error(`worker ${slot} ended before it served`)));
    return { worker, call, started, name: () => name };
  };

  const start = async (slot: number): Promise<Started> => {
    const beganAt = performance.now();
    const one = fork(slot);
    running.set(slot, one);
    one.worker.once('exit', (code, signal) => {
      // One that was replaced is not missed.
      if (isStopping || running.get(slot) !== one) return;
      running.delete(slot);
      log.error({ worker: slot, code, signal }, 'a worker ended; another takes its place');
      void bury(one.name());
      void startAgain(slot, beganAt);
    });
    return one.started;
  };

  /** Has one of the others give back what a dead one held. When there are none, or they fail, it is free after a minute. */
  const bury = async (name: string | null): Promise<void> => {
    const other = running.values().find((one) => one.name() !== null);
    if (name === null || other === undefined) return;
    await other.call('siblingDied', name).catch((error) => log.warn({ err: error }, 'what a worker held stays held'));
  };

  const startAgain = async (slot: number, beganAt: number): Promise<void> => {
    const endedAt = performance.now();
    await sleep(Math.max(0, beganAt + shortestLifeMs - endedAt));
    if (isStopping) return;
    try {
      await start(slot);
      log.info(
        { worker: slot, afterMs: Math.round(performance.now() - endedAt) },
        'a worker took the place of one that ended',
      );
    } catch {
      // A start that fails is an end, and ends are seen to.
    }
  };

  const replace = async (slot: number): Promise<void> => {
    const old = running.get(slot);
    await start(slot);
    old?.worker.process.kill('SIGTERM');
    if (old !== undefined && !old.worker.isDead()) await once(old.worker, 'exit');
  };

  const replaceAll = async (): Promise<void> => {
    log.info('replacing the workers');
    for (const slot of [...running.keys()].sort()) {
      if (isStopping) return;
      await replace(slot).catch((error) => log.error({ err: error, worker: slot }, 'a worker was not replaced'));
    }
    log.info('the workers were replaced');
  };

  return {
    start,
    replaceAll() {
      replacing = replacing.then(replaceAll);
      return replacing;
    },
    async stop(limitMs: number): Promise<void> {
      isStopping = true;
      const alive = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead());
      const ended = alive.map((worker) => worker && once(worker, 'exit'));
      for (const worker of alive) worker?.process.kill('SIGTERM');
      await Promise.race([Promise.all(ended), sleep(limitMs, null, { ref: false })]);
      for (const worker of alive) if (worker !== undefined && !worker.isDead()) worker.process.kill('SIGKILL');
    },
  };
}

function lineTo(worker: Worker) {
  return {
    // A worker that ends while it is spoken to has its end seen to.
    send: (message: unknown) => worker.isConnected() && worker.send(message as object, () => {}),
    on: (event: 'message', listener: (message: unknown) => void) => worker.on(event, listener),
  };
}
