// A stamp of the sources of the built console. Plain JavaScript without dependencies: set-up runs it before anything is installed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'console', 'dist');
const stampFile = join(dist, '.stamp');

/**
 * A hash of everything the build reads: the console and the reference, the client, the snippets and the CSV module they use, the
 * guides, and the versions of the packages.
 */
export function consoleStamp() {
  return hashOf(
    ['console', 'csv', 'sdk/src', 'snippets', 'src/reference'],
    [...guides(), 'scripts/render-guides.ts', 'package-lock.json'],
  );
}

/** A hash of the sources below folders, tests excluded, and of further files. */
export function hashOf(folders, others = []) {
  const hash = createHash('sha256');
  const files = [...folders.flatMap(filesBelow), ...others].filter(isSource).sort();
  for (const file of files)
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update('\n');
  return hash.digest('hex');
}

/** Whether `console/dist` is up to date. */
export function isConsoleBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === consoleStamp();
}

/** Whether this is a checkout: a package contains the built console without its sources. */
export function canBuildConsole() {
  return existsSync(join(root, 'console', 'vite.config.ts'));
}

function guides() {
  return readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return path === 'console/dist' || entry.name.startsWith('.') ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

function isSource(file) {
  return !file.endsWith('.test.ts');
}
