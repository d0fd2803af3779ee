import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../../files/module-beside.ts';

/** A shorter log is not checkpointed: later writes will replace many of its pages. */
export const walBytesKept = 4_194_304;

/** File system clocks advance in steps of some milliseconds. */
const sameTimeMs = 100;

/** The thread's answer to a checkpoint. */
export interface CheckpointResult {
  /** Null after a success. */
  readonly problem: string | null;
}

/**
 * Syncs and checkpoints the write-ahead log off the main thread. Both wait for the disk, a tenth of a second and more on a busy
 * machine: a commit that did it would block every request.
 */
export interface WalCheckpoints {
  /** Syncs writes since the last call, and checkpoints a log that has grown long. */
  fsync(): Promise<void>;
  /** Copies as much of the log into the file as it can now. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

/** The log of one database file; the thread starts with the first checkpoint. */
export function createWalCheckpoints(file: string): WalCheckpoints {
  const wal = `${file}-wal`;
  let thread: Worker | null = null;
  let current: Promise<void> = Promise.resolve();
  let syncedMs = 0;

  const startThread = (): Worker => {
    const started = start(file);
    // The next checkpoint replaces a thread that could not open the file or died.
    for (const end of ['error', 'exit']) {
      started.once(end, () => {
        if (thread === started) thread = null;
      });
    }
    return started;
  };
  const runCheckpoint = async (): Promise<void> => {
    thread ??= startThread();
    thread.postMessage(false);
    const [{ problem }] = (await once(thread, 'message')) as [CheckpointResult];
    if (problem !== null) throw new Error(`the write-ahead log cannot be checkpointed: ${problem}`);
  };
  /** One after the other, whether or not the previous one succeeded. */
  const checkpoint = (): Promise<void> => {
    current = current.then(runCheckpoint, runCheckpoint);
    return current;
  };
  return {
    checkpoint,
    async fsync() {
      // The first write creates the log.
      const found = await stat(wal).catch(() => null);
      if (found === null || found.mtimeMs === syncedMs) return;
      await using handle = await open(wal);
      await handle.datasync();
      if (found.size > walBytesKept) await checkpoint();
      // A second write within one step of the file system's clock leaves the same time.
      if (Date.now() - found.mtimeMs > sameTimeMs) syncedMs = found.mtimeMs;
    },
    async close() {
      await current.catch(() => {});
      if (thread === null) return;
      // A process with nothing else to wait for would exit before the thread, and leave the database open.
      thread.ref();
      thread.postMessage(true);
      await once(thread, 'exit');
    },
  };
}

function start(file: string): Worker {
  const thread = new Worker(moduleBeside(import.meta.url, 'checkpoint-thread'), { workerData: file, execArgv: [] });
  thread.unref();
  return thread;
}
