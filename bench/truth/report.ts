// node bench/truth/report.ts FOLDER: prints every measured table of docs/accuracy.md. FOLDER holds the clones of benchmark.ts.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder with the clones: node bench/truth/report.ts FOLDER');
const reports: readonly (readonly [script: string, ...parameters: string[]])[] = [
  ['truth/compare.ts'],
  ['typo-report.ts'],
  ['learning-links.ts'],
  ['learning-report.ts'],
  ['truth/benchmark.ts', folder],
];
for (const [script, ...parameters] of reports) {
  console.log(`\n## ${[script, ...parameters].join(' ')}\n`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '..', script), ...parameters], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
