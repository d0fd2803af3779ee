import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../../files/module-beside.ts';

/** A shorter log is left as it is: much of what is in it will be written over again. */
export const logBytesKept = 4_194_304;

/** The clocks of file systems go forward in steps of some milliseconds. */
const sameTimeMs = 100;

/** What the thread says when it is done. */
export interface CopiedBack {
  /** Null when nothing went wrong. */
  readonly problem: string | null;
}

/**
 * Looks after the write-ahead log without holding anybody up. Bringing it onto the disk and copying it back into the file both wait
 * for the disk, a tenth of a second and more on a busy machine: a commit that did it would make every request wait.
 */
export interface LogKeeper {
  /** Brings onto the disk what was written since the last time, and copies the log back when it has become long. */
  settle(): Promise<void>;
  /** Copies back what can be copied now. */
  copyBack(): Promise<void>;
  close(): Promise<void>;
}

/** Looks after the log of a database file; a thread begins with the first copy. */
export function createLogKeeper(file: string): LogKeeper {
  const log = `${file}-wal`;
  let thread: Worker | null = null;
  let underWay: Promise<void> = Promise.resolve();
  let settledMs = 0;

  const begin = (): Worker => {
    const begun = start(file);
    // One that could not open the file, or died, is replaced with the next copy, and nobody waits for it.
    for (const end of ['error', 'exit']) {
      begun.once(end, () => {
        if (thread === begun) thread = null;
      });
    }
    return begun;
  };
  const copy = async (): Promise<void> => {
    thread ??= begin();
    thread.postMessage(false);
    const [{ problem }] = (await once(thread, 'message')) as [CopiedBack];
    if (problem !== null) throw new Error(`the write-ahead log cannot be copied back: ${problem}`);
  };
  /** One after the other, whatever became of the one before. */
  const copyBack = (): Promise<void> => {
    underWay = underWay.then(copy, copy);
    return underWay;
  };
  return {
    copyBack,
    async settle() {
      // The log comes with the first write.
      const found = await stat(log).catch(() => null);
      if (found === null || found.mtimeMs === settledMs) return;
      await using handle = await open(log);
      await handle.datasync();
      if (found.size > logBytesKept) await copyBack();
      // A file that was written to a moment ago may have been written to again at what the file system calls the same time.
      if (Date.now() - found.mtimeMs > sameTimeMs) settledMs = found.mtimeMs;
    },
    async close() {
      await underWay.catch(() => {});
      if (thread === null) return;
      // A process that waits for nothing else would end before the thread does, and the database would stay open.
      thread.ref();
      thread.postMessage(true);
      await once(thread, 'exit');
    },
  };
}

function start(file: string): Worker {
  const thread = new Worker(moduleBeside(import.meta.url, 'copy-back-thread'), { workerData: file, execArgv: [] });
  thread.unref();
  return thread;
}
