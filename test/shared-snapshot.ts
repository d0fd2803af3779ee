import { createHash } from 'node:crypto';
import { constants, copyFileSync, existsSync, globSync, linkSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildNetworks } from '../src/ip/networks-build.ts';
import { networksFingerprint } from '../src/ip/networks-compile.ts';
import { build } from '../src/lists/snapshot/build.ts';
import { inputFingerprint } from '../src/lists/snapshot/fingerprint.ts';

const root = join(import.meta.dirname, '..');
const curatedDir = join(root, 'data');
const noDownloads = join(curatedDir, 'no-such-folder');

/**
 * Gives a new data directory the snapshot that its first start would build. The build takes a second of processor time
 * and comes to the same bytes in every test, so one run of it serves them all; the service checks its fingerprint as always.
 */
export function shareSnapshot(dataDir: string): void {
  const folder = join(dataDir, 'lists');
  if (existsSync(folder) || !statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return;
  key ??= keyOfBuild();
  const shared = join(tmpdir(), `signalpost-test-snapshot-${key}.bin`);
  if (!existsSync(shared)) build({ curatedDir, sourcesDir: noDownloads, path: shared, nowMs: Date.now() });
  mkdirSync(folder, { recursive: true });
  copyFileSync(shared, join(folder, 'snapshot.bin'), constants.COPYFILE_FICLONE);
  const networks = join(tmpdir(), `signalpost-test-networks-${networksFingerprint().slice(0, 32)}.bin`);
  if (!existsSync(networks)) buildNetworks(networks);
  linkSync(networks, join(folder, 'networks.bin'));
}

let key: string | undefined;

/** What the bytes of a build follow from: its inputs, and the code that compiles them. */
function keyOfBuild(): string {
  const hash = createHash('sha256').update(inputFingerprint({ curatedDir, sourcesDir: noDownloads }));
  for (const file of globSync(['src/lists/**/*.ts', 'src/address/*.ts'], { cwd: root }).sort()) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 32);
}
