import cluster from 'node:cluster';
import type { Config } from '../config.ts';
import type { Started } from '../main.ts';

/** Runs several processes that share the port. Each worker runs the same command as the parent and reaches this function too. */
export async function serveWithWorkers(config: Config, onStarted: (started: Started) => void): Promise<void> {
  // The parent does not load the service, and a worker does not load the supervisor.
  if (cluster.isPrimary) await (await import('./supervisor.ts')).supervise(config, onStarted);
  else await (await import('./worker.ts')).serveAsWorker(config, parentChannel());
}

function parentChannel() {
  return {
    // An error here means that the parent is gone: the worker stops by itself, and without a callback the error would end it first.
    send: (message: unknown) => process.connected && process.send?.(message, undefined, undefined, () => {}),
    on: (event: 'message', listener: (message: unknown) => void) => process.on(event, listener),
  };
}
