import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Config } from '../config.ts';
import type { LimitCounters } from '../http/limit-counters.ts';
import { withTimeout } from '../limits/circuit-breaker.ts';
import { serve } from '../main.ts';
import { type Channel, connectCalls } from './calls.ts';

/** Serves as one of several processes of an instance; their parent counts the limits for all of them. */
export async function serveAsWorker(config: Config, parent: Channel): Promise<void> {
  const own = new Map<string, () => Promise<string>>();
  let releaseLeasesOf = async (_holder: string): Promise<void> => {};
  const call = connectCalls(parent, {
    collectOwn: async (name: string) => (await own.get(name)?.()) ?? null,
    releaseLeasesOf: (holder: string) => releaseLeasesOf(holder),
  });
  const serving = serve(config, (started) => void call('started', started), {
    untilStop,
    // Only the first worker prints the sign-in link: each further link would invalidate it.
    invites: cluster.worker?.id === 1,
    siblings: {
      counters: parentCounters(call, config.workers),
      collect(name, read) {
        own.set(name, read);
        return async () => new Map((await call('collect', name)) as [number, string][]);
      },
      registerHolder(self, onHolderDied) {
        releaseLeasesOf = onHolderDied;
        void call('registerHolder', self);
      },
      async buildNetworks(path, signal) {
        await Promise.race([call('buildNetworks', path), once(signal, 'abort')]);
        signal.throwIfAborted();
      },
    },
  });
  // The open channel to the parent would keep a failed worker running.
  await serving.finally(() => process.connected && process.disconnect());
}

/**
 * Waits for a stop. A signal may arrive twice: from the terminal to the whole process group, and from the parent, which kills a
 * worker that takes too long. A worker whose parent died must stop by itself. `exitedAfterDisconnect` keeps Node from exiting
 * immediately then, so that the worker can drain.
 */
function untilStop(): Promise<string> {
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
    process.once('disconnect', () => resolve('the parent is gone'));
  });
}

/** The counters of all workers, kept by the parent. */
function parentCounters(call: ReturnType<typeof connectCalls>, workers: number): LimitCounters {
  // A parent that is briefly busy is not logged: the worker enforces its share of each limit meanwhile.
  const callWithTimeout = <T>(name: string, ...args: readonly unknown[]): Promise<T> =>
    withTimeout(call(name, ...args) as Promise<T>);
  return {
    takeTokens: (...args) => callWithTimeout('takeTokens', ...args),
    takeFromWindow: (...args) => callWithTimeout('takeFromWindow', ...args),
    recordRefusal: (...args) => callWithTimeout('recordRefusal', ...args),
    blocksSince: (...args) => callWithTimeout('blocksSince', ...args),
    processes: () => workers,
    isUnavailable: () => false,
  };
}
