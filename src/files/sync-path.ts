import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until a file is on disk, or, of a folder, its names: a rename is durable only once its folder is synced (POSIX). */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
