import { execFileSync } from 'node:child_process';
import { constants, copyFileSync, existsSync, linkSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestFixtures } from '../scripts/test-fixtures.ts';

const script = join(import.meta.dirname, '..', 'scripts', 'test-fixtures.ts');

/**
 * Copies the snapshot that a first start would build into a new data directory. The build takes a second of CPU time
 * and produces the same bytes in every test; the service still checks its fingerprint.
 */
export function shareSnapshot(dataDir: string): void {
  const folder = join(dataDir, 'lists');
  if (existsSync(folder) || !statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return;
  mkdirSync(folder);
  copyFileSync(fixture('TEST_SNAPSHOT'), join(folder, 'snapshot.bin'), constants.COPYFILE_FICLONE);
  shareNetworks(dataDir);
}

/** Links the networks that a first start would compile into a data directory that has a folder `lists`. */
export function shareNetworks(dataDir: string): void {
  linkSync(fixture('TEST_NETWORKS'), join(dataDir, 'lists', 'networks.bin'));
}

/** The test run prepares the files; a test file that runs alone prepares them itself. */
function fixture(name: keyof TestFixtures): string {
  if (process.env[name] === undefined)
    Object.assign(process.env, JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })));
  return process.env[name] ?? '';
}
