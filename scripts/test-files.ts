import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const root = join(import.meta.dirname, '..');

const patterns = [
  'src/**/*.test.ts',
  'csv/*.test.ts',
  'test/**/*.test.ts',
  'bench/**/*.test.ts',
  'sdk/**/*.test.ts',
  'console/src/**/*.test.ts',
];

/** Folders whose tests start processes, the slowest first. */
const slowFolders = ['test/package/', 'test/console-pages/', 'sdk/test/', 'src/cli/', 'test/', 'src/lists/'];

/** Test files that measure or change their process, so that no other file may share it. */
const ownProcess = /^\/\/ Runs in its own process: |\/retained-heap\.ts'/m;

/** Test files that start processes. Those outside src/ take so long that they run beside each other. */
const startsProcesses =
  /\b(signalpost-process|child_process|console-browser|shown-console|watched-page|installed-\w+)\b/;

/** So many that the start of a process no longer matters, and so few that all cores stay busy until the end. */
const filesPerProcess = 12;

/** Every test file of the repository, by its path from the root. */
export function testFiles(): string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: isInstalled })).sort();
}

/** The order in which a run ends soonest: a slow file that starts last would run alone. */
export function slowestFirst(files: readonly string[]): string[] {
  return files.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Splits files into those that share a process, in their order. Starting Node and loading the service takes longer than most
 * files run.
 */
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
  const source = readFileSync(join(root, file), 'utf8');
  return !ownProcess.test(source) && (file.startsWith('src/') || !startsProcesses.test(source));
}

function rank(file: string): number {
  const place = slowFolders.findIndex((folder) => file.startsWith(folder));
  return place === -1 ? slowFolders.length : place;
}

function isInstalled(path: string): boolean {
  return path.endsWith('node_modules');
}
