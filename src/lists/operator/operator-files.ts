import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from '../../actor.ts';
import type { ListLog } from '../snapshot/kept-snapshot.ts';
import type { OperatorEntriesStore } from './operator-entries-store.ts';
import { operatorLists, readValues } from './operator-list.ts';

/** An imported file keeps its text under another name: comments and wrong lines are not in the database. */
const importedSuffix = '.taken-over';

const service: Actor = { kind: 'service', id: 'operator files', from: null };

/**
 * Moves entries of `LIST.txt` files, written by earlier versions or by hand, into the database, and renames the
 * files, so that an entry that is removed later does not come back. Each line is one entry, `#` starts a comment.
 */
export async function importOperatorFiles(
  folder: string,
  store: OperatorEntriesStore,
  log: ListLog,
  nowMs: number,
): Promise<void> {
  for (const list of operatorLists) {
    const path = join(folder, `${list}.txt`);
    if (!existsSync(path)) continue;
    const { entries, problems } = readValues(list, linesOf(path));
    for (const problem of problems) log.warn({ path, problem }, 'lists: skipped a wrong line of an operator file');
    const added = await store.add(list, entries, service, nowMs);
    renameImported(path);
    log.info({ path, count: added.length }, 'lists: imported the entries of an operator file into the database');
  }
}

function linesOf(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.map((line) => line.replace(/#.*$/, '').trim()).filter((line) => line !== '');
}

function renameImported(path: string): void {
  try {
    renameSync(path, path + importedSuffix);
  } catch (error) {
    // A process that started at the same moment was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
