import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from '../../files/private-files.ts';
import { lockFile } from './file-lock.ts';
import { prepareDataDir, setJournalMode } from './sqlite.ts';
import { publishFile } from './sqlite-file.ts';
import { type VerifiedDatabase, verifyDatabaseFile } from './sqlite-verify.ts';

/** The restored database, and the path of the former one; null when there was none. */
export interface Restored extends VerifiedDatabase {
  readonly file: string;
  readonly replaced: string | null;
}

/** https://sqlite.org/rescode.html#busy */
const sqliteBusy = 5;

/**
 * Puts a verified backup into a data directory that no process uses. An existing database is refused, or with `replace`
 * renamed. The database appears whole or not at all.
 */
export function restoreDatabase(backup: string, dataDir: string, nowMs: number, replace: boolean): Restored {
  verifyDatabaseFile(backup);
  prepareDataDir(dataDir);
  const file = join(dataDir, 'signalpost.db');
  if (existsSync(file) && !replace)
    throw new Error(`${dataDir} already has a database; --replace renames it and restores the backup`);
  const draft = `${file}.${randomUUID()}.restore`;
  const lock = lockFile(`${file}-restore-lock`);
  if (lock === null) throw new Error(`another restore to ${dataDir} is running; wait until it has finished`);
  try {
    removeDrafts(dataDir);
    createPrivateFile(draft);
    copyFileSync(backup, draft);
    const verified = verifyDatabaseFile(draft);
    const replaced = existsSync(file) ? moveAside(file, nowMs) : null;
    publishFile(draft, file);
    return { ...verified, file, replaced };
  } finally {
    rmSync(draft, { force: true });
    lock.release();
  }
}

/** Removes the drafts of interrupted restores. */
function removeDrafts(dataDir: string): void {
  const isDraft = (name: string): boolean => /^signalpost\.db\.[0-9a-f-]{36}\.restore(?:-\w+)?$/.test(name);
  for (const name of readdirSync(dataDir).filter(isDraft)) rmSync(join(dataDir, name));
}

/** Renames a database and its side files; throws while a process has it open. */
function moveAside(file: string, nowMs: number): string {
  const aside = `${file}.replaced-${new Date(nowMs).toISOString().replaceAll(':', '-')}`;
  const lock = lockUnused(file);
  for (const ending of ['', '-wal', '-shm']) if (existsSync(file + ending)) renameSync(file + ending, aside + ending);
  lock?.close();
  if (lock !== null) setJournalMode(aside);
  return aside;
}

/** Takes the only lock on a database, so that it cannot be opened meanwhile; null for a file that SQLite cannot read. */
export function lockUnused(file: string): DatabaseSync | null {
  const database = new DatabaseSync(file);
  try {
    // Leaving the write-ahead log needs the database alone, also without readers that are idle, and empties the log.
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = delete; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy)
      throw new Error(`${file} is in use; stop the service first`, { cause: error });
    // A damaged database is a reason to restore one.
    return null;
  }
}
