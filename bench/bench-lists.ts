import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Lists, openLists } from '../src/lists/lists.ts';
import { shareSnapshot } from '../test/shared-snapshot.ts';

/** Logs warnings, but not that a snapshot was built. */
const log = { info: () => undefined, warn: (fields: object, message: string) => console.error(message, fields) };

/**
 * Runs work with the lists of a new installation, in a directory that is removed afterwards. `editions` is a folder with
 * downloaded editions, `SOURCE.txt`, that replace those of the packages.
 */
export async function withBenchLists<T>(
  work: (lists: Lists, dataDir: string) => Promise<T>,
  editions?: string,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-bench-'));
  if (editions === undefined) shareSnapshot(dataDir);
  else cpSync(editions, join(dataDir, 'lists', 'sources'), { recursive: true });
  try {
    const lists = await openLists({ dataDir, log, now: Date.now });
    return await work(lists, dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
