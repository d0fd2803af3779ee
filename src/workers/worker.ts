import cluster from 'node:cluster';
import { once } from 'node:events';
import type { SharedCounts } from '../accounts/shared/shared-counts.ts';
import type { Config } from '../config.ts';
import { createBudget } from '../limits/budget.ts';
import { serve } from '../main.ts';
import { connectCalls, type Line } from './calls.ts';

/** Serves as one of several processes of an instance, whose parent counts for all of them. */
export async function serveAsWorker(config: Config, parent: Line): Promise<void> {
  let ownMetrics = async (): Promise<string> => '';
  let siblingDied = async (_name: string): Promise<void> => {};
  const ask = connectCalls(parent, {
    ownMetrics: () => ownMetrics(),
    siblingDied: (name: string) => siblingDied(name),
  });
  const serving = serve(config, (started) => void ask('started', started), {
    untilStop,
    // The greeting is that of the first; every further link would end the one it shows.
    invites: cluster.worker?.id === 1,
    siblings: {
      counts: parentCounts(ask, config.workers),
      joinMetrics(own) {
        ownMetrics = own;
        return () => ask('allMetrics') as Promise<string>;
      },
      introduce(self, onDied) {
        siblingDied = onDied;
        void ask('introduce', self);
      },
      async buildNetworks(path, signal) {
        await Promise.race([ask('buildNetworks', path), once(signal, 'abort')]);
        signal.throwIfAborted();
      },
    },
  });
  // The line to the parent would keep a process that failed.
  await serving.finally(() => process.connected && process.disconnect());
}

/**
 * Signals may come twice, to all processes at once and from the parent, which ends whoever takes too long. Without a parent
 * nobody restarts it, and nobody stops it: then it stops by itself, and not at once, as Node would have it.
 */
function untilStop(): Promise<string> {
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
    process.once('disconnect', () => resolve('the parent is gone'));
  });
}

/** The counts of all workers, which the parent keeps. */
function parentCounts(ask: ReturnType<typeof connectCalls>, workers: number): SharedCounts {
  // A parent that is busy for a moment is nothing to tell of: the limits hold, from the shares.
  const budget = createBudget({ onAway() {}, onBack() {} });
  const asked = <T>(name: string, ...args: readonly unknown[]): Promise<T> =>
    budget.retry(() => ask(name, ...args) as Promise<T>);
  return {
    takeTokens: (...args) => asked('takeTokens', ...args),
    takeAnonymous: (...args) => asked('takeAnonymous', ...args),
    recordRefusal: (...args) => asked('recordRefusal', ...args),
    blocksSince: (...args) => asked('blocksSince', ...args),
    processes: () => workers,
    isAway: () => false,
  };
}
