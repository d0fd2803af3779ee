import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. `mkdir` with `recursive` never returns where a file system without folders of
 * ours answers ENOENT for a parent that exists, as /proc does.
 */
export function makeFolder(path: string, mode?: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error(`${path} is not a folder`);
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!existsSync(path)) throw error;
  }
}
