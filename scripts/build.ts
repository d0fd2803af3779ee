// Runs before `npm pack`: compiles src/ into dist/, because Node strips no types under node_modules.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './test-files.ts';

const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
compile();
cpSync(join(root, 'data'), join(dist, 'data'), { recursive: true });

function compile(): void {
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const { status, error } = spawnSync(tsc, ['--project', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the source does not compile', { cause: error });
}
