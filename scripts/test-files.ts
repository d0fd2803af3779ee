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

/** Every test file of the repository, by its path from the root. */
export function testFiles(): string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: isInstalled })).sort();
}

/** The order in which a run ends soonest: a slow file that starts last would run alone. */
export function slowestFirst(files: readonly string[]): string[] {
  return files.toSorted((one, other) => rank(one) - rank(other));
}

function rank(file: string): number {
  const place = slowFolders.findIndex((folder) => file.startsWith(folder));
  return place === -1 ? slowFolders.length : place;
}

function isInstalled(path: string): boolean {
  return path.endsWith('node_modules');
}
