import { globSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const root = join(import.meta.dirname, '..');

const patterns = [
  'src/**/*.test.ts',
  'test/**/*.test.ts',
  'bench/**/*.test.ts',
  'sdk/**/*.test.ts',
  'console/src/**/*.test.ts',
];

/** Folders whose tests start processes, the slowest first. */
const slowFolders = ['test/package/', 'test/console-pages/', 'sdk/test/', 'src/cli/', 'test/'];

/**
 * Folders whose files share processes. Starting Node and loading the service takes longer than most of these files run. Files
 * elsewhere start processes themselves, so that sharing one gains little.
 */
const sharingFolders = ['src/', 'sdk/src/', 'console/src/', 'bench/'];

/** Files that measure or change their process: its memory or its environment. */
const ownProcess = new Set(['src/blocklist/domain-set.test.ts', 'src/workers/worker-pool.test.ts']);

/** Enough that the start of a process no longer matters, and few enough that all cores stay busy until the end. */
const filesPerProcess = 12;

/** Every test file of the repository, by its path from the root. */
export function testFiles(): string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: isInstalled })).sort();
}

/** The order in which a run ends soonest: a slow file that starts last would run alone. */
export function slowestFirst(files: readonly string[]): string[] {
  return files.toSorted((one, other) => rank(one) - rank(other));
}

/** Splits files into those that share a process, in their order. */
export function groupsOf(files: readonly string[]): string[][] {
  const groups: string[][] = [];
  let open: string[] = [];
  for (const file of files) {
    if (!shares(file)) {
      groups.push([file]);
      continue;
    }
    if (open.length === 0) groups.push(open);
    open.push(file);
    if (open.length === filesPerProcess) open = [];
  }
  return groups;
}

function shares(file: string): boolean {
  return sharingFolders.some((folder) => file.startsWith(folder)) && !ownProcess.has(file);
}

function rank(file: string): number {
  const place = slowFolders.findIndex((folder) => file.startsWith(folder));
  return place === -1 ? slowFolders.length : place;
}

function isInstalled(path: string): boolean {
  return path.endsWith('node_modules');
}
