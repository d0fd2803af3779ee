import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createMemoryCounters } from '../limits/memory-counters.ts';
import type { Started } from '../main.ts';
import { type Call, type Channel, connectCalls } from './calls.ts';

/** A worker process that serves or is starting. */
interface WorkerHandle {
  readonly worker: Worker;
  readonly call: Call;
  /** Resolves when the worker listens; rejects when it exits before that. */
  readonly started: Promise<Started>;
  /** The name under which it holds credit leases; null until it has registered one. */
  holder(): string | null;
}

/** A worker that keeps exiting is restarted at most once in this time. */
const restartIntervalMs = 1_000;
const collectTimeoutMs = 1_000;

/** The worker processes, which share the port. */
export interface WorkerPool {
  /** Starts all workers; rejects when the first cannot serve. `onStarted` runs when the first one listens. */
  startAll(onStarted: (started: Started) => void): Promise<void>;
  /** Replaces each worker with a new one, one after the other. */
  replaceAll(): Promise<void>;
  /** Stops all workers; kills those still running after the timeout. */
  stop(timeoutMs: number): Promise<void>;
}

/**
 * Keeps one serving worker in each slot, numbered from 0. Does the work that all workers share: counts limits, collects metrics
 * and compiles IP networks.
 */
export function createWorkerPool(log: Logger, processes: number): WorkerPool {
  const running = new Map<number, WorkerHandle>();
  const starting = new Map<number, Promise<Started>>();
  let isStopping = false;
  /** The start, then each replacement in order. */
  let changing: Promise<void> = Promise.resolve();
  const stopped = new AbortController();
  const services = {
    ...createMemoryCounters(() => performance.now()),
    collect: (name: string) => collectFrom(running, name),
    buildNetworks: createNetworksBuild(stopped.signal, log),
  };

  const startOne = async (slot: number): Promise<Started> => {
    const forkedAtMs = performance.now();
    const handle = fork(slot, services);
    handle.worker.once('exit', (code, signal) => {
      if (isStopping) return;
      const wasServing = running.get(slot) === handle;
      if (wasServing) running.delete(slot);
      void releaseLeases(handle.holder(), running, log);
      // A worker that was replaced, or never listened, needs no restart here.
      if (!wasServing) return;
      log.error({ worker: slot, code, signal }, 'a worker exited; another one is starting in its place');
      void restart(slot, forkedAtMs);
    });
    const started = await handle.started;
    running.set(slot, handle);
    return started;
  };

  /** Starts a worker in the slot, or joins a start in progress; rejects when the worker exits before it listens. */
  const start = (slot: number): Promise<Started> => {
    const started = starting.get(slot) ?? startOne(slot).finally(() => starting.delete(slot));
    starting.set(slot, started);
    return started;
  };

  /** Retries until a worker listens in the slot; resolves to false when the pool is stopped first. */
  const startWithRetries = async (slot: number, lastForkedAtMs: number): Promise<boolean> => {
    for (let forkedAtMs = lastForkedAtMs; ; ) {
      await sleep(Math.max(0, forkedAtMs + restartIntervalMs - performance.now()));
      if (isStopping) return false;
      forkedAtMs = performance.now();
      try {
        await start(slot);
        return true;
      } catch (error) {
        if (!isStopping) log.error({ err: error, worker: slot }, 'a worker did not start; retrying in a second');
      }
    }
  };

  const restart = async (slot: number, lastForkedAtMs: number): Promise<void> => {
    const exitedAtMs = performance.now();
    if (!(await startWithRetries(slot, lastForkedAtMs))) return;
    const afterMs = Math.round(performance.now() - exitedAtMs);
    log.info({ worker: slot, afterMs }, 'a new worker replaced the one that exited');
  };

  const startAll = async (onStarted: (started: Started) => void): Promise<void> => {
    // The first worker creates the database, the lists and the first account. If it cannot serve, no worker can.
    onStarted(await start(0));
    const others = Array.from({ length: processes - 1 }, (_, slot) => slot + 1);
    const all = await Promise.all(others.map((slot) => startWithRetries(slot, Number.NEGATIVE_INFINITY)));
    if (all.every(Boolean)) log.info({ workers: processes }, 'all workers are listening');
  };

  const replaceAll = async (): Promise<void> => {
    log.info('replacing the workers');
    for (const slot of [...running.keys()].sort()) {
      if (isStopping) return;
      await replaceOne(running.get(slot), () => start(slot)).catch((error) =>
        log.error({ err: error, worker: slot }, 'could not replace a worker; the old one keeps serving'),
      );
    }
    if (!isStopping) log.info('replaced all workers');
  };

  return {
    startAll(onStarted) {
      const all = startAll(onStarted);
      // A replacement requested during the start runs after it.
      changing = all.catch(() => {});
      return all;
    },
    replaceAll() {
      changing = changing.then(replaceAll);
      return changing;
    },
    async stop(timeoutMs) {
      isStopping = true;
      await stopWorkers(timeoutMs);
      stopped.abort();
    },
  };
}

/** The services that all workers share. */
interface Services extends ReturnType<typeof createMemoryCounters> {
  collect(name: string): Promise<[slot: number, text: string][]>;
  buildNetworks(path: string): Promise<void>;
}

function fork(slot: number, services: Services): WorkerHandle {
  // The first worker downloads the lists; the others load its files.
  const worker = cluster.fork(slot === 0 ? {} : { LISTS_REFRESH: 'off' });
  const { promise: started, resolve, reject } = Promise.withResolvers<Started>();
  let holder: string | null = null;
  const call = connectCalls(channelTo(worker), {
    ...services,
    registerHolder: async (name: string) => {
      holder = name;
    },
    started: async (started: Started) => resolve(started),
  });
  worker.once('exit', () =>
    reject(new Error(`worker ${slot} exited before it listened; its own log lines give the reason`)),
  );
  return { worker, call, started, holder: () => holder };
}

/** The texts that the workers return under a name, by slot. A worker that does not answer in time is missing. */
async function collectFrom(
  running: ReadonlyMap<number, WorkerHandle>,
  name: string,
): Promise<[slot: number, text: string][]> {
  const texts = await Promise.all(
    [...running].map(async ([slot, { call }]): Promise<[number, string][]> => {
      const text = await Promise.race([call('collectOwn', name), sleep(collectTimeoutMs, null, { ref: false })]).catch(
        () => null,
      );
      return typeof text === 'string' ? [[slot, text]] : [];
    }),
  );
  return texts.flat().sort(([one], [other]) => one - other);
}

/** Compiling IP networks takes much memory, so one process does it for all workers. */
function createNetworksBuild(stopped: AbortSignal, log: Logger): (path: string) => Promise<void> {
  let building: Promise<void> | null = null;
  return async (path) => {
    const { buildNetworksInProcess } = await import('../ip/networks-build.ts');
    building ??= buildNetworksInProcess(path, stopped, log).finally(() => {
      building = null;
    });
    await building;
  };
}

/** Asks another worker to release a dead worker's credit leases. If none can, the leases expire after a minute. */
async function releaseLeases(
  holder: string | null,
  running: ReadonlyMap<number, WorkerHandle>,
  log: Logger,
): Promise<void> {
  const other = running.values().find((handle) => handle.holder() !== null);
  if (holder === null || other === undefined) return;
  await other
    .call('releaseLeasesOf', holder)
    .catch((error) => log.warn({ err: error }, "could not release a dead worker's credits; they expire in 60 s"));
}

/** Starts another worker, and then stops the old one. */
async function replaceOne(old: WorkerHandle | undefined, start: () => Promise<Started>): Promise<void> {
  await start();
  old?.worker.process.kill('SIGTERM');
  if (old !== undefined && !old.worker.isDead()) await once(old.worker, 'exit');
}

/** Stops all workers; kills those still running after the timeout. */
async function stopWorkers(timeoutMs: number): Promise<void> {
  const alive = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead());
  const ends = alive.map((worker) => worker && once(worker, 'exit'));
  for (const worker of alive) worker?.process.kill('SIGTERM');
  await Promise.race([Promise.all(ends), sleep(timeoutMs, null, { ref: false })]);
  for (const worker of alive) if (worker !== undefined && !worker.isDead()) worker.process.kill('SIGKILL');
}

function channelTo(worker: Worker): Channel {
  return {
    // An error here means that the worker is exiting, which the exit handler deals with.
    send: (message: unknown) => worker.isConnected() && worker.send(message as object, () => {}),
    on: (event: 'message', listener: (message: unknown) => void) => worker.on(event, listener),
  };
}
