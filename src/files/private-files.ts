import { chmodSync, closeSync, existsSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

const folderMode = 0o700;
const fileMode = 0o600;

/** Creates an empty file that only its owner can read and write. Fails when the file exists. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', fileMode));
}

/**
 * Creates a folder that only its owner can enter. It also restricts an existing folder and the files that earlier versions left
 * world-readable in it, but only names for which `isOurs` is true: other programs may use the folder too.
 */
export function makePrivateFolder(path: string, isOurs: (name: string) => boolean): void {
  makeFolder(path, folderMode);
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

/** Leaves alone a file that belongs to another user or was removed meanwhile. */
function restrict(path: string, mode: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o777) === mode || found.uid !== process.geteuid?.()) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (existsSync(path)) throw error;
  }
}
