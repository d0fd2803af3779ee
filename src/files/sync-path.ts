import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Syncs a file, or the names in a folder, to disk: a rename is durable only once its folder is synced (POSIX). */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
