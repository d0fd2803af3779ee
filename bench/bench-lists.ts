import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Lists, openLists } from '../src/lists/lists.ts';
import { shareSnapshot } from '../test/shared-snapshot.ts';

/** Logs warnings, but not that a snapshot was built. */
const log = { info: () => undefined, warn: (fields: object, message: string) => console.error(message, fields) };

/** Runs work with the lists of a new installation, in a directory that is removed afterwards. */
export async function withBenchLists<T>(work: (lists: Lists, dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-bench-'));
  shareSnapshot(dataDir);
  try {
    const lists = await openLists({ dataDir, log, now: Date.now });
    try {
      return await work(lists, dataDir);
    } finally {
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
