import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../../scripts/test-files.ts';
import { temporaryDirectory } from '../engines.ts';

it('set-up lets the service start when the console cannot be built, reports it, and leaves no partial files', () => {
  const checkout = folderWith([
    'console',
    'csv',
    'docs',
    'sdk/src',
    'snippets',
    'src/reference',
    'scripts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ]);
  appendFileSync(join(checkout, 'console', 'vite.config.ts'), "throw new Error('broken by the test');\n");
  const { status, stderr } = spawnSync(process.execPath, ['scripts/setup.mjs'], { cwd: checkout, encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(stderr, /broken by the test/);
  // The rest of the source is missing, so that set-up reports afterwards that it cannot bundle it.
  assert.match(stderr, /The console was not built \(the build failed\); the service starts without it\.$/m);
  const left = readdirSync(join(checkout, 'console')).filter((name) => name === 'dist' || name.startsWith('.'));
  assert.deepEqual(left, []);
});

/** A folder with these parts of the checkout, its console not built, and the installed packages. */
function folderWith(parts: readonly string[]): string {
  const folder = temporaryDirectory();
  const isSource = (path: string) => !path.includes(join('console', 'dist')) && !path.includes('.building-');
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true, filter: isSource });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
