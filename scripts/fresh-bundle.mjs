// The bundle that a checkout runs instead of its source. Plain JavaScript without dependencies: the command and set-up read it
// before anything else is loaded or installed.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the bundles of a checkout are; the package has its own in `dist`. */
export const bundlesFolder = join(root, 'build');
/** Names the newest bundle and the files it was built from. */
export const newestFile = join(bundlesFolder, 'newest.json');

/** Whether the sources and the bundler are present: a production installation lacks them. */
export function canBundle() {
  return existsSync(join(root, 'src')) && existsSync(join(root, 'node_modules', 'rolldown'));
}

/** The folder of the newest bundle if its sources are unchanged; else null. */
export function freshBundle() {
  if (!existsSync(newestFile)) return null;
  const { name, sources } = JSON.parse(readFileSync(newestFile, 'utf8'));
  const isFresh = Object.entries(sources).every(([file, stamp]) => sourceStamp(file) === stamp);
  const folder = join(bundlesFolder, name);
  return isFresh && existsSync(join(folder, 'cli.js')) ? folder : null;
}

/**
 * A value that changes when a file of the checkout is written, replaced or moved; null when there is none. Reading the
 * files themselves would take five times as long. No tool sets the time of a file's last change of state (ctime) back.
 */
export function sourceStamp(file) {
  const found = statSync(join(root, file), { throwIfNoEntry: false });
  return found === undefined ? null : `${found.ino}:${found.size}:${found.ctimeMs}`;
}
