import { join } from 'node:path';
import type { Db } from '../../db/db.ts';
import type { ListLog } from '../snapshot/kept-snapshot.ts';
import { createOperatorEntriesStore, type OperatorEntriesStore } from './operator-entries-store.ts';
import { importOperatorFiles } from './operator-files.ts';

/** Opens the operator's entries, after importing those that are still in files of the data directory. */
export async function openOperatorEntries(
  db: Db,
  dataDir: string,
  log: ListLog,
  now: () => number,
): Promise<OperatorEntriesStore> {
  const store = createOperatorEntriesStore(db);
  await importOperatorFiles(join(dataDir, 'lists', 'operator'), store, log, now());
  return store;
}
