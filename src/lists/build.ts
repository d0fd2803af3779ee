import { Worker } from 'node:worker_threads';
import { writeFileAtomic } from './atomic-file.ts';
import { compileSnapshot } from './compile.ts';
import type { InputFolders } from './fingerprint.ts';

/** A build as plain data, so that it can be handed to another thread. */
export interface BuildOrder extends InputFolders {
  /** Where the snapshot is kept. */
  readonly path: string;
  readonly nowMs: number;
}

/** A finished build. */
export interface Build {
  readonly bytes: Uint8Array;
  readonly tookMs: number;
  /** Why the snapshot is not on disk: a full or read-only disk costs the next start some time, not this one its lists. */
  readonly writeProblem: string | null;
}

/** Builds the snapshot and keeps it; takes about a second and a hundred megabytes, see `buildInThread`. */
export function build(order: BuildOrder): Build {
  const startedMs = performance.now();
  const bytes = compileSnapshot({ ...order, now: () => order.nowMs });
  let writeProblem: string | null = null;
  try {
    writeFileAtomic(order.path, bytes);
  } catch (error) {
    writeProblem = error instanceof Error ? error.message : String(error);
  }
  return { bytes, tookMs: Math.round(performance.now() - startedMs), writeProblem };
}

/** The same in a thread of its own: requests go on being answered, and the memory goes back with the thread. */
export function buildInThread(order: BuildOrder): Promise<Build> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./build-thread.ts', import.meta.url), { workerData: order });
    worker.once('message', resolve);
    worker.once('error', reject);
    // After a message this changes nothing: a promise settles once.
    worker.once('exit', (code) => reject(new Error(`the list build stopped with ${code}`)));
  });
}
