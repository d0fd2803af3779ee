import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createMemoryCounts } from '../limits/memory-counts.ts';
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
const metricsLimitMs = 1_000;

/** The processes that share the port. */
export interface WorkerPool {
  /** Starts them; rejects when the first of them cannot serve. `onStarted` hears of the first. */
  startAll(onStarted: (started: Started) => void): Promise<void>;
  /** Puts a new one in the place of each, one after the other. */
  replaceAll(): Promise<void>;
  /** Ends them; whoever is still there after the limit is killed. */
  stop(limitMs: number): Promise<void>;
}

/** Numbers the workers from 0, and sees to it that each number has one that serves; does for all what is done once. */
export function createWorkerPool(log: Logger, processes: number): WorkerPool {
  const counts = createMemoryCounts(() => performance.now(), processes);
  const running = new Map<number, Running>();
  const starting = new Map<number, Promise<Started>>();
  let isStopping = false;
  /** The start, and then one replacement after the other. */
  let changing: Promise<void> = Promise.resolve();
  /** The networks of IP addresses while they are compiled, which takes much memory: once for all workers. */
  let building: Promise<void> | null = null;
  const ended = new AbortController();

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

  const buildNetworks = async (path: string): Promise<void> => {
    const { buildNetworksInProcess } = await import('../ip/networks-build.ts');
    building ??= buildNetworksInProcess(path, ended.signal, log).finally(() => {
      building = null;
    });
    await building;
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
      buildNetworks,
      started: async (told: Started) => resolve(told),
    });
    worker.once('exit', () => reject(new Error(`worker ${slot} ended before it served; it said why`)));
    return { worker, call, started, name: () => name };
  };

  const startOne = async (slot: number): Promise<Started> => {
    const beganAt = performance.now();
    const one = fork(slot);
    one.worker.once('exit', (code, signal) => {
      if (isStopping) return;
      const isMissed = running.get(slot) === one;
      if (isMissed) running.delete(slot);
      void bury(one.name());
      // One that was replaced, or never served, is not.
      if (!isMissed) return;
      log.error({ worker: slot, code, signal }, 'a worker ended; another takes its place');
      void startAgain(slot, beganAt);
    });
    const started = await one.started;
    running.set(slot, one);
    return started;
  };

  /** Starts one in its place, once for all who ask for it meanwhile; rejects when it ends before it serves. */
  const start = (slot: number): Promise<Started> => {
    const started = starting.get(slot) ?? startOne(slot).finally(() => starting.delete(slot));
    starting.set(slot, started);
    return started;
  };

  /** Has one of the others give back what a dead one held. When there are none, or they fail, it is free after a minute. */
  const bury = async (name: string | null): Promise<void> => {
    const other = running.values().find((one) => one.name() !== null);
    if (name === null || other === undefined) return;
    await other.call('siblingDied', name).catch((error) => log.warn({ err: error }, 'what a worker held stays held'));
  };

  /** Starts one until it serves, in the place of one that was begun a while ago. Whether it does: a stop ends it. */
  const keepStarting = async (slot: number, beganAt: number): Promise<boolean> => {
    for (let triedAt = beganAt; ; ) {
      await sleep(Math.max(0, triedAt + shortestLifeMs - performance.now()));
      if (isStopping) return false;
      triedAt = performance.now();
      try {
        await start(slot);
        return true;
      } catch (error) {
        if (!isStopping) log.error({ err: error, worker: slot }, 'a worker did not start; it is tried again');
      }
    }
  };

  const startAgain = async (slot: number, beganAt: number): Promise<void> => {
    const endedAt = performance.now();
    if (!(await keepStarting(slot, beganAt))) return;
    const afterMs = Math.round(performance.now() - endedAt);
    log.info({ worker: slot, afterMs }, 'a worker took the place of one that ended');
  };

  const startAll = async (onStarted: (started: Started) => void): Promise<void> => {
    // The first makes the database, the lists and the first account; the others find them. Where it cannot serve, none can.
    onStarted(await start(0));
    const others = Array.from({ length: processes - 1 }, (_, slot) => slot + 1);
    const all = await Promise.all(others.map((slot) => keepStarting(slot, Number.NEGATIVE_INFINITY)));
    if (all.every(Boolean)) log.info({ workers: processes }, 'all workers listen');
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
    if (!isStopping) log.info('the workers were replaced');
  };

  return {
    startAll(onStarted) {
      const all = startAll(onStarted);
      // Who asks for new workers during the start gets them after it.
      changing = all.catch(() => {});
      return all;
    },
    replaceAll() {
      changing = changing.then(replaceAll);
      return changing;
    },
    async stop(limitMs) {
      isStopping = true;
      const alive = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead());
      const ends = alive.map((worker) => worker && once(worker, 'exit'));
      for (const worker of alive) worker?.process.kill('SIGTERM');
      await Promise.race([Promise.all(ends), sleep(limitMs, null, { ref: false })]);
      for (const worker of alive) if (worker !== undefined && !worker.isDead()) worker.process.kill('SIGKILL');
      ended.abort();
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
