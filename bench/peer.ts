import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'peers');
const requirePeer = createRequire(join(folder, 'package.json'));

/** Installs the packages that bench/peers/package.json pins, unless they are installed. No install script of a peer runs. */
export function installPeers(): void {
  const { dependencies }: { dependencies: Record<string, string> } = readManifest(folder);
  const isInstalled = ([name, version]: [string, string]): boolean => {
    const installed = join(folder, 'node_modules', name);
    return existsSync(installed) && readManifest(installed).version === version;
  };
  if (Object.entries(dependencies).every(isInstalled)) return;
  console.error('installing the libraries to compare with …');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // The table goes to stdout, so npm's output goes to stderr.
  const { status } = spawnSync('npm', ['ci', '--prefix', folder, ...options], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('npm ci failed in bench/peers');
}

/** A peer's exports. Its types are not installed for the type check, so the caller declares the part it uses. */
export function loadPeer<T>(name: string): T {
  return requirePeer(name);
}

/** The name and version of a peer, for its rows. */
export function peerName(name: string): string {
  return `${name} ${readManifest(join(folder, 'node_modules', name)).version}`;
}

function readManifest(of: string) {
  return JSON.parse(readFileSync(join(of, 'package.json'), 'utf8'));
}
