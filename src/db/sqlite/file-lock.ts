import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from '../../files/private-files.ts';

/** A lock that ends with the process that holds it. */
export interface FileLock {
  release(): void;
}

/** https://sqlite.org/rescode.html#busy */
const sqliteBusy = 5;

/** SQLite's lock on a file belongs to the process: a killed process leaves none behind, whatever its PID. Null while another holds it. */
export function lockFile(file: string): FileLock | null {
  try {
    if (!existsSync(file)) createPrivateFile(file);
  } catch (error) {
    // Another process has just created it.
    if (!existsSync(file)) throw error;
  }
  const database = new DatabaseSync(file);
  try {
    database.exec('begin exclusive');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null;
    throw error;
  }
}
