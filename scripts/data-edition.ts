// node scripts/data-edition.ts: builds a data edition from the newest data packages, and refuses one that adds a false positive.
//   --dry-run      restores the checkout in any case
//   --try FOLDER   judges the lists in FOLDER (SOURCE.txt, a name a line) instead, installs nothing and writes the report there
// The report is var/data-edition/REPORT.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageSources, referencePackages, rolePackage } from '../src/lists/sources/source-catalogue.ts';
import { type EditionState, editionProblems, editionReport } from './edition-report.ts';
import { keptEditions } from './kept-editions.ts';
import { root } from './test-files.ts';

const changedFiles = ['package.json', 'package-lock.json', 'data/package-dates.json', 'docs/lists.md'].map((file) =>
  join(root, file),
);
const { values: options } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, try: { type: 'string' } } });
const tried = options.try === undefined ? undefined : resolve(options.try);
const out = tried ?? join(root, 'var/data-edition');
mkdirSync(out, { recursive: true });
const saved = changedFiles.map((file) => [file, readFileSync(file)] as const);
const before = readState('before');
const problems: string[] = [];
try {
  if (tried === undefined) installNewer();
  const after = readState('after', tried);
  problems.push(...editionProblems(before, after));
  writeFileSync(join(out, 'REPORT.md'), editionReport(before, after));
} catch (error) {
  problems.push(error instanceof Error ? error.message : String(error));
}
if (tried === undefined && (problems.length > 0 || options['dry-run'])) {
  for (const [file, content] of saved) writeFileSync(file, content);
  run('npm', ['install', '--no-save', '--ignore-scripts']);
}
for (const problem of problems) console.error(`data-edition: refused, ${problem}`);
if (problems.length > 0) process.exitCode = 1;
console.log(`data-edition: ${join(out, 'REPORT.md')}`);

/** Installs the newest data packages and updates the files that describe them. */
function installNewer(): void {
  const newer = newerPackages();
  newer['--save-dev'].push(...olderEditions(newer['--save-dev']));
  for (const [option, packages] of Object.entries(newer)) {
    if (packages.length > 0) run('npm', ['install', option, '--save-exact', '--ignore-scripts', ...packages]);
  }
  run(process.execPath, ['scripts/package-dates.ts']);
  run(process.execPath, ['scripts/list-families.ts']);
  const packages = Object.values(newer).flat();
  console.log(`data-edition: ${packages.length === 0 ? 'no package is newer' : packages.join(', ')}`);
}

/** The lists and their scores, read by another process: this one may have loaded older files. */
function readState(name: string, ...editions: (string | undefined)[]): EditionState {
  const file = join(out, `${name}.json`);
  run(process.execPath, ['scripts/edition-state.ts', file, ...editions.filter((folder) => folder !== undefined)]);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The data packages of which the registry has a newer version, by the option that keeps their place in package.json. */
function newerPackages(): Record<'--save' | '--save-dev', string[]> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const data = new Set<string>([...packageSources.map(({ name }) => name), rolePackage.name, ...referencePackages]);
  const newerOf = (pins: Record<string, string>): string[] =>
    Object.entries(pins).flatMap(([name, pinned]) => {
      if (!data.has(name) && !name.startsWith('@ip-location-db/')) return [];
      const latest = run('npm', ['view', name, 'version']).trim();
      // A mirror of the registry may be behind.
      return latest.localeCompare(pinned, 'en', { numeric: true }) > 0 ? [`${name}@${latest}`] : [];
    });
  return { '--save': newerOf(manifest.dependencies), '--save-dev': newerOf(manifest.devDependencies) };
}

/** The pinned editions of rolling lists that are about to be replaced, to be kept under names of their own; the oldest one goes. */
function olderEditions(newer: readonly string[]): string[] {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return packageSources.flatMap(({ name, isRolling }) => {
    if (!isRolling || !newer.some((each) => each.startsWith(`${name}@`))) return [];
    const { kept, dropped } = keptEditions(name, devDependencies);
    if (dropped.length > 0) run('npm', ['uninstall', '--save-dev', '--ignore-scripts', ...dropped]);
    return [kept];
  });
}

function run(program: string, parameters: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, parameters, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} failed: ${stderr.trim().split('\n').at(-1)}`);
  return stdout;
}
