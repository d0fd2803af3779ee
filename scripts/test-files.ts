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

/**
 * Files that wait for time limits, processes and browsers for half a minute and longer, and folders whose tests start processes; the
 * slowest first. Such a file runs alone, because the others of its process would wait with it.
 */
const slowest = [
  'test/console-pages/demo.test.ts',
  'test/flagging-processes.test.ts',
  'test/process.test.ts',
  'test/console-pages/pages.test.ts',
  'test/snippets.test.ts',
  'test/package/',
  'test/console-pages/',
  'src/db/postgres.test.ts',
  'src/traffic/traffic-sharing.test.ts',
  'src/cli/gates/decision-commands.test.ts',
  'test/documents.test.ts',
  'test/flagging-killed.test.ts',
  'test/hooks/hostile-clients.test.ts',
  'test/faults-postgres.test.ts',
  'test/list-distribution.test.ts',
  'test/instances.test.ts',
  'src/limits/redis-counters.test.ts',
  'src/cli/bulk/server-source.test.ts',
  'sdk/test/',
  'src/cli/',
  'test/',
  'src/lists/',
];

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
  if (slowest.includes(file)) return false;
  const source = readFileSync(join(root, file), 'utf8');
  return !ownProcess.test(source) && (file.startsWith('src/') || !startsProcesses.test(source));
}

function rank(file: string): number {
  const place = slowest.findIndex((path) => file.startsWith(path));
  return place === -1 ? slowest.length : place;
}

function isInstalled(path: string): boolean {
  return path.endsWith('node_modules');
}
