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

/** Every test file of the repository, by its path from the root. */
export function testFiles(): string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: isInstalled })).sort();
}

function isInstalled(path: string): boolean {
  return path.endsWith('node_modules');
}
