import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folderMode = 0o700;
const fileMode = 0o600;

/** Makes an empty file that only its owner reads and writes. Fails when the name is taken. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', fileMode));
}

/**
 * Makes a folder that only its owner enters. One that was there, and what an earlier version left in it for everybody to
 * read, is closed; of what is inside, only the given names are touched, for the folder may hold things of others.
 */
export function makePrivateFolder(path: string, isOurs: (name: string) => boolean): void {
  mkdirSync(path, { recursive: true, mode: folderMode });
  restrict(path, folderMode);
  for (const name of readdirSync(path)) if (isOurs(name)) makePrivate(join(path, name));
}

function makePrivate(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) restrict(path, fileMode);
  if (!found?.isDirectory()) return;
  restrict(path, folderMode);
  for (const name of readdirSync(path)) makePrivate(join(path, name));
}

/** A file of another user is theirs to close; a file that is gone needs nothing. */
function restrict(path: string, mode: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o777) === mode || found.uid !== process.geteuid?.()) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (existsSync(path)) throw error;
  }
}
