import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The files of another commit, ready to start. */
export interface OtherCheckout {
  readonly folder: string;
  /** The abbreviated hash. */
  readonly commit: string;
}

/** Checks a commit out beside this one, installs its packages and bundles it. The folder is kept: the next comparison starts immediately. */
export function checkOut(commit: string): OtherCheckout {
  const hash = git('rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`).trim();
  const folder = join(tmpdir(), `signalpost-bench-${hash.slice(0, 12)}`);
  if (!existsSync(folder)) prepare(hash, folder);
  return { folder, commit: hash.slice(0, 7) };
}

function prepare(hash: string, folder: string): void {
  console.error(`checking out ${hash.slice(0, 7)} in ${folder} …`);
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished);
  try {
    const files = execFileSync('git', ['archive', hash], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', unfinished], { input: files });
    const lockIn = (checkout: string): string => readFileSync(join(checkout, 'package-lock.json'), 'utf8');
    if (lockIn(unfinished) === lockIn(root)) symlinkSync(join(root, 'node_modules'), join(unfinished, 'node_modules'));
    else run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], unfinished);
    renameSync(unfinished, folder);
    // A bundle remembers the paths of its files.
    run(process.execPath, [join('scripts', 'bundle-checkout.ts')], folder);
  } catch (error) {
    for (const made of [unfinished, folder]) rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

/** The table goes to stdout, so all other output goes to stderr. */
function run(program: string, parameters: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, parameters, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} failed in ${cwd}`);
}

function git(...parameters: string[]): string {
  return execFileSync('git', parameters, { cwd: root, encoding: 'utf8' });
}
