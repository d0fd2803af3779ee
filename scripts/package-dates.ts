// node scripts/package-dates.ts: records in data/package-dates.json when each pinned data package was published.
//   --check   sends no requests: fails when a pin changed without its date
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageSources, referencePackages, rolePackage } from '../src/lists/sources/source-catalogue.ts';
import { root } from './test-files.ts';

const file = join(root, 'data/package-dates.json');
const recorded: { about: string; packages: Record<string, { version: string; published: string }> } = JSON.parse(
  readFileSync(file, 'utf8'),
);
const {
  dependencies,
  devDependencies,
}: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const named: readonly string[] = [...packageSources.map(({ name }) => name), rolePackage.name, ...referencePackages];
const pins = Object.entries({ ...dependencies, ...devDependencies })
  .filter(([name]) => named.includes(name) || name.startsWith('@ip-location-db/'))
  .sort(([a], [b]) => (a < b ? -1 : 1));
const stale = pins.filter(([name, version]) => recorded.packages[name]?.version !== version);
const gone = Object.keys(recorded.packages).filter((name) => !pins.some(([pinned]) => pinned === name));

if (process.argv.includes('--check')) {
  for (const [name, version] of stale) console.error(`package-dates: ${name} ${version} has no date on record`);
  for (const name of gone) console.error(`package-dates: ${name} is no longer a data package`);
  if (stale.length + gone.length > 0) {
    console.error('package-dates: run node scripts/package-dates.ts');
    process.exitCode = 1;
  }
} else {
  const packages = Object.fromEntries(
    pins.map(([name, version]) => {
      const known = recorded.packages[name];
      return [name, known?.version === version ? known : { version, published: publishedAt(name, version) }];
    }),
  );
  writeFileSync(file, `${JSON.stringify({ ...recorded, packages }, null, 2)}\n`);
  console.log(`package-dates: ${pins.length} packages, ${stale.length} asked for`);
}

/** The publication time in the registry, to the second. */
function publishedAt(name: string, version: string): string {
  const { status, stdout } = spawnSync('npm', ['view', name, 'time', '--json'], { encoding: 'utf8' });
  const time: unknown = status === 0 ? JSON.parse(stdout)[version] : undefined;
  if (typeof time !== 'string') throw new Error(`npm does not say when ${name} ${version} was published`);
  return new Date(time).toISOString().replace(/\.\d+/, '');
}
