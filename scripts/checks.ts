// npm run check: every check of the checkout that runs no tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { root } from './test-files.ts';

/** The programs of node_modules. */
export const binaries = join(root, 'node_modules', '.bin');

const node = process.execPath;
/** Files that did not change since the last check are not checked again. */
const incremental = (name: string): string[] => [
  '--incremental',
  '--tsBuildInfoFile',
  join(root, 'node_modules', '.cache', 'tsc', `${name}.tsbuildinfo`),
];
const checks: readonly (readonly [string, ...string[]])[] = [
  ['tsc', ...incremental('service')],
  ['tsc', '--project', 'sdk', '--noEmit'],
  ['tsc', ...incremental('console'), '--project', 'console'],
  ['biome', 'check', '.'],
  [node, 'scripts/openapi.ts', '--check'],
  ['redocly', 'lint', 'openapi.json'],
  [node, 'scripts/signals-table.ts', '--check'],
  [node, 'scripts/library-types.ts', '--check'],
  [node, 'scripts/command-summaries.ts', '--check'],
  [node, 'scripts/package-dates.ts', '--check'],
  [node, 'scripts/list-families.ts', '--check'],
  [node, 'scripts/conformance.ts'],
  [node, 'scripts/words.ts'],
];
const environment = () => ({
  ...process.env,
  PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
});

/** Runs the checks sequentially; returns the output of the first failure, or null when all pass. */
export async function runChecks(signal?: AbortSignal): Promise<string | null> {
  for (const [program, ...parameters] of checks) {
    const child = spawn(program, parameters, {
      cwd: root,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal && { signal }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    const [code] = await once(child, 'close');
    if (code !== 0) return `${output}\n${[program, ...parameters].join(' ')} failed.`;
  }
  return null;
}

if (import.meta.main) {
  const failure = await runChecks();
  if (failure !== null) {
    console.error(failure);
    process.exitCode = 1;
  }
}
