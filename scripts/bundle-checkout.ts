// Runs before `npm start`: bundles the checkout into a separate folder, because few files load faster than a thousand.
import { globSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { writeFileAtomic } from '../src/files/atomic-file.ts';
import { bundle } from './bundle.ts';
import { bundlesFolder, freshBundle, newestFile, sourceStamp } from './fresh-bundle.mjs';
import { root } from './test-files.ts';

/** The current bundle and the previous one: a running service loads parts of its bundle on demand. */
const keptBundles = 2;
/** package-lock.json determines the code of packages. */
const sourceFolders = ['src', 'csv', 'data', 'snippets'];
/** The files that determine how and from which packages a bundle is built. */
const recipe = ['package-lock.json', 'scripts/bundle.ts'];

/** Bundles the checkout unless its bundle is up to date; returns the folder. */
export async function bundleCheckout(): Promise<string> {
  return freshBundle() ?? (await makeBundle());
}

async function makeBundle(): Promise<string> {
  // Names sort by time of creation.
  const name = `${Date.now()}-${process.pid}`;
  const folder = join(bundlesFolder, name);
  mkdirSync(folder, { recursive: true });
  try {
    // Taken before the build, so that files written during it are newer than the bundle.
    const files = globSync(`{${sourceFolders}}/**/*.{ts,json}`, { cwd: root });
    const stamps = new Map([...recipe, ...files].map((file) => [file, sourceStamp(file)]));
    const modules = (await bundle(folder)).map((path) => relative(root, path));
    const used = modules.filter((path) => sourceFolders.includes(path.split(sep)[0] ?? ''));
    const sources = Object.fromEntries([...recipe, ...used].map((file) => [file, stamps.get(file) ?? 'just written']));
    writeFileAtomic(newestFile, JSON.stringify({ name, sources }));
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  removeOldBundles();
  return folder;
}

function removeOldBundles(): void {
  const names = readdirSync(bundlesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  for (const name of names.slice(0, -keptBundles)) rmSync(join(bundlesFolder, name), { recursive: true, force: true });
}

if (import.meta.main) await bundleCheckout();
