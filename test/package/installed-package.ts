import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../../scripts/test-files.ts';
import { pack, run } from '../../sdk/test/installed-client.ts';
import { temporaryDirectory } from '../engines.ts';

/** A folder in which the file that would be published is installed. */
export interface InstalledPackage extends Disposable {
  readonly folder: string;
  /** The file that would be published. */
  readonly tarball: string;
  /** Where it is installed. */
  readonly home: string;
  /** Runs a program in the folder until it exits, with this Node first in the PATH. */
  run(program: string, parameters: readonly string[], env?: NodeJS.ProcessEnv): string;
}

/**
 * Packs Signalpost as it is published and installs it in an empty folder, without a registry. A release sets PACKED_SERVICE
 * to test the file that it will publish.
 */
export function installPackage(): InstalledPackage {
  const folder = temporaryDirectory();
  const tarball = process.env.PACKED_SERVICE ?? pack(root, folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  copyDependencies(folder);
  // npm finds every dependency in the version that the package names, and sends no requests.
  run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], folder);
  return {
    folder,
    tarball,
    home: join(folder, 'node_modules', 'signalpost'),
    run: (program, parameters, env = {}) => run(program, parameters, folder, { PATH: pathWithThisNode, ...env }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** A PATH on which `node` is the one that runs the tests. */
export const pathWithThisNode = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;

/** Copies only the production dependencies of the lock file, so that no other package is available. */
function copyDependencies(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>;
  };
  for (const [path, { dev, devOptional, optional }] of Object.entries(packages)) {
    const isOurs = path.startsWith('node_modules/') && path.lastIndexOf('node_modules/') === 0;
    if (isOurs && !dev && !devOptional && !optional) cpSync(join(root, path), join(folder, path), { recursive: true });
  }
}
