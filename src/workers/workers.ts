import cluster from 'node:cluster';
import type { Config } from '../config.ts';
import type { Started } from '../main.ts';

/** Runs several processes that share the port. Each of them runs the same command as their parent, and comes here too. */
export async function serveWithWorkers(config: Config, onStarted: (started: Started) => void): Promise<void> {
  // A parent loads nothing of the service, and a worker nothing of the parent.
  if (cluster.isPrimary) await (await import('./supervisor.ts')).supervise(config, onStarted);
  else await (await import('./worker.ts')).serveAsWorker(config, parentLine());
}

function parentLine() {
  return {
    send: (message: unknown) => process.connected && process.send?.(message),
    on: (event: 'message', listener: (message: unknown) => void) => process.on(event, listener),
  };
}
