import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryDirectory } from '../../test/engines.ts';

/** A project that has installed the client from the file that would be published. */
export interface InstalledClient extends Disposable {
  readonly folder: string;
  /** The file that would be published. */
  readonly tarball: string;
  /** Where its compiled ES modules are. */
  readonly modules: string;
  /** Runs a program of the folder's own. */
  run(node: string, file: string, source: string, env: NodeJS.ProcessEnv): string;
}

const sdk = join(import.meta.dirname, '..');

/**
 * Packs the client as it is published and installs it in an empty folder, without a registry. A release sets PACKED_CLIENT
 * to test the file that it will publish.
 */
export function installClient(): InstalledClient {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const tarball = process.env.PACKED_CLIENT ?? pack(sdk, folder);
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], folder);
  return {
    folder,
    tarball,
    modules: join(folder, 'node_modules', '@signalpost', 'client', 'dist', 'esm'),
    run(node, file, source, env) {
      writeFileSync(join(folder, file), source);
      return run(node, [file], folder, env);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** The machine's own Node 20, the oldest that the client promises to run on; null when there is none. */
export function findNode20(): string | null {
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  const versionOf = (node: string): string => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  return (
    directories.map((directory) => join(directory, 'node')).find((node) => versionOf(node).startsWith('v20.')) ?? null
  );
}

/** Packs a package as it is published, below a folder; returns the path of the file. */
export function pack(source: string, folder: string): string {
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  run('npm', ['pack', '--pack-destination', packed], source);
  return join(packed, readdirSync(packed)[0] ?? '');
}

/** Runs a program to its end and gives what it printed; throws what it said when it failed. */
export function run(program: string, parameters: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} failed: ${stdout}${stderr}`, { cause: error });
  return stdout;
}
