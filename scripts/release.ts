// node scripts/release.ts VERSION [OPTION…]: makes the files of a release. A dry run, which leaves the checkout as it is, unless
//   --write       also commits the version to the current branch and tags it; publishing stays a separate command
//   --out FOLDER  where the files go; var/release/VERSION unless given
//   --quick       neither generates, builds nor tests: shows only that the steps work; not with --write

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { binaries } from './checks.ts';
import { root } from './test-files.ts';

/** A release: its checkout, its version, and the folder of its files. */
export interface Release {
  readonly checkout: string;
  readonly version: string;
  /** ISO 8601, as in the changelog. */
  readonly day: string;
  readonly out: string;
  readonly write: boolean;
  readonly quick: boolean;
}

/** Files besides package.json that contain the version. */
const versionFiles = ['deploy/helm/signalpost/Chart.yaml'];
const packageFolders = ['.', 'sdk'];
const packedTests = ['test/package/packed.test.ts', 'test/package/dependencies.test.ts', 'sdk/test/packed.test.ts'];

/** Makes the files of a release in a separate worktree, so that they contain only committed work. */
export function release({ checkout, version, day, out, write, quick }: Release): void {
  if (write && quick) throw new Error('--quick is for dry runs: a release is built and tested');
  if (git(checkout, 'status', '--porcelain') !== '') throw new Error('The checkout has changes: commit or stash them');
  if (git(checkout, 'tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} exists`);
  if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} has files: remove it, or choose another`);
  const directory = mkdtempSync(join(tmpdir(), 'signalpost-release-'));
  const worktree = join(directory, 'signalpost');
  try {
    git(checkout, 'worktree', 'add', '--quiet', '--detach', worktree);
    symlinkSync(join(root, 'node_modules'), join(worktree, 'node_modules'));
    const notes = setVersion(worktree, version, day);
    if (!quick) {
      run(worktree, process.execPath, ['scripts/screenshots.ts', '--check']);
      run(worktree, process.execPath, ['scripts/openapi.ts']);
    }
    mkdirSync(out, { recursive: true });
    const [service, client] = packageFolders.map((folder) => pack(join(worktree, folder), out, quick));
    if (!quick) {
      const env = { PACKED_SERVICE: service, PACKED_CLIENT: client };
      run(worktree, process.execPath, ['scripts/test.ts', ...packedTests], env);
    }
    writeFileSync(join(out, `signalpost-${version}.cdx.json`), sbomOf(worktree, join(directory, 'installed')));
    writeFileSync(join(out, 'RELEASE-NOTES.md'), notes);
    writeFileSync(join(out, 'SHA256SUMS'), checksums(out));
    if (write) commit(checkout, worktree, version);
  } finally {
    rmSync(directory, { recursive: true });
    git(checkout, 'worktree', 'prune');
  }
}

/** Writes the version into every file that has it, and returns the notes of the release. */
function setVersion(worktree: string, version: string, day: string): string {
  const [previous = '', ...others] = packageFolders.map((folder) => versionOf(join(worktree, folder)));
  if (others.some((other) => other !== previous)) throw new Error('The packages have different versions');
  if (!isLater(version, previous)) throw new Error(`${version} is not a version after ${previous}`);
  for (const folder of packageFolders) {
    run(join(worktree, folder), 'npm', ['version', version, '--no-git-tag-version', '--ignore-scripts']);
  }
  for (const path of versionFiles.map((file) => join(worktree, file))) {
    const text = readFileSync(path, 'utf8');
    if (!text.includes(previous)) throw new Error(`${path} does not contain ${previous}`);
    writeFileSync(path, text.replaceAll(previous, version));
  }
  const path = join(worktree, 'CHANGELOG.md');
  const { changelog, notes } = releaseChangelog(readFileSync(path, 'utf8'), version, day);
  writeFileSync(path, changelog);
  return notes;
}

/** The changelog in which the unreleased changes are those of a version, and these changes. */
export function releaseChangelog(text: string, version: string, day: string): { changelog: string; notes: string } {
  const heading = '\n## Unreleased\n';
  const start = text.indexOf(heading);
  if (start < 0) throw new Error('CHANGELOG.md has no section "Unreleased"');
  const from = start + heading.length;
  const next = text.indexOf('\n## ', from);
  const notes = text.slice(from, next < 0 ? undefined : next).trim();
  if (notes === '') throw new Error('CHANGELOG.md has no unreleased changes');
  const title = `## ${version} - ${day}\n`;
  return { changelog: `${text.slice(0, from)}\n${title}${text.slice(from)}`, notes: `${title}\n${notes}\n` };
}

/** Whether a version of three numbers comes after another. */
export function isLater(version: string, previous: string): boolean {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) return false;
  const [numbers, before] = [version, previous].map((text) => text.split('.').map(Number));
  const differing = numbers?.findIndex((number, index) => number !== before?.[index]) ?? -1;
  return differing >= 0 && Number(numbers?.[differing]) > Number(before?.[differing]);
}

function versionOf(folder: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return version;
}

/** Packs a package as it is published; returns the path of the file. */
function pack(folder: string, out: string, quick: boolean): string {
  const options = ['--json', '--pack-destination', out, ...(quick ? ['--ignore-scripts'] : [])];
  const printed = run(folder, 'npm', ['pack', ...options]);
  // The build prints before npm does.
  const [{ filename }]: [{ filename: string }] = JSON.parse(printed.slice(printed.lastIndexOf('\n[') + 1));
  return join(out, filename);
}

/**
 * The CycloneDX document of the packages that npm installs with the service. It is made from a lock file without
 * development packages: `npm sbom --omit dev` also leaves out production packages that a development package needs.
 */
function sbomOf(worktree: string, directory: string): string {
  // npm names the component after the folder.
  const folder = join(directory, 'signalpost');
  mkdirSync(folder, { recursive: true });
  const read = (file: string) => JSON.parse(readFileSync(join(worktree, file), 'utf8'));
  const { devDependencies, overrides, ...manifest } = read('package.json');
  const lock: { packages: Record<string, { dev?: boolean; devDependencies?: object }> } = read('package-lock.json');
  delete lock.packages['']?.devDependencies;
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  return run(folder, 'npm', ['sbom', '--package-lock-only', ...format]);
}

/** One line per file, in the format that `sha256sum --check` reads. */
function checksums(folder: string): string {
  const line = (file: string): string =>
    `${createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')}  ${file}\n`;
  return readdirSync(folder).sort().map(line).join('');
}

/** Commits and tags in the worktree, from which the packed files came, and moves the branch of the checkout there. */
function commit(checkout: string, worktree: string, version: string): void {
  git(worktree, 'commit', '--all', '--quiet', '--message', `Release ${version}`);
  git(worktree, 'tag', '--annotate', '--message', `Signalpost ${version}`, `v${version}`);
  git(checkout, 'merge', '--quiet', '--ff-only', `v${version}`);
}

function git(cwd: string, ...parameters: string[]): string {
  return run(cwd, 'git', parameters);
}

function run(cwd: string, program: string, parameters: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, {
    cwd,
    env: { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} failed: ${stdout}${stderr}`, { cause: error });
  return stdout;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean' }, quick: { type: 'boolean' }, out: { type: 'string' } },
  });
  const [version = ''] = positionals;
  const out = resolve(values.out ?? join(root, 'var', 'release', version));
  const { write = false, quick = false } = values;
  release({ checkout: root, version, day: new Date().toISOString().slice(0, 10), out, write, quick });
  console.log(`${out}:\n${readFileSync(join(out, 'SHA256SUMS'), 'utf8')}`);
  console.log(write ? `Committed and tagged v${version}` : 'This was a dry run: the checkout is unchanged');
}
