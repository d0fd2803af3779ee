import { statSync } from 'node:fs';

/** A value that changes when a file is changed or replaced; `-` when there is no file. */
export function fileStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? '-' : `${found.ino}:${found.size}:${found.mtimeNs}`;
}
