import { statSync } from 'node:fs';

/** A value that differs when a file was changed or replaced; `-` when there is none. */
export function fileStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? '-' : `${found.ino}:${found.size}:${found.mtimeNs}`;
}
