// Runs before `npm pack`: bundles src/ into dist/, because Node strips no types under node_modules, and because few files load faster.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedNames, readPackages } from '../src/lists/sources/read-packages.ts';
import { packageSources } from '../src/lists/sources/source-catalogue.ts';
import { bundle } from './bundle.ts';
import { root } from './test-files.ts';
import { thirdPartyNotice } from './third-party-notice.ts';

const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
writeDeclarations();
keepDeclarations(publicDeclarations());
const modules = await bundle(dist);
writeFileSync(join(dist, 'THIRD-PARTY.txt'), thirdPartyNotice(modules));
packLists();

/**
 * Includes the lists of packages that users should not install: they are large, or have install scripts. A list that takes
 * names from others decides only about names that those lack, so only these are included.
 */
function packLists(): void {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lists = new Map(readPackages().map(({ name, names }) => [name, new Set(names)]));
  for (const { name, copies = [] } of packageSources) {
    if (name in dependencies) continue;
    const folder = join(root, 'node_modules', name);
    // The manifest names the licence where a package has no file with its text.
    for (const file of globSync('LICENSE*', { cwd: folder }))
      cpSync(join(folder, file), join(dist, 'packages', name, 'LICENSE'));
    const own = copies.reduce(
      (names, each) => names.difference(lists.get(each) ?? new Set()),
      lists.get(name) ?? new Set(),
    );
    const { version, author, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const write = (file: string, content: unknown): void =>
      writeFileSync(join(dist, 'packages', name, file), JSON.stringify(content));
    mkdirSync(join(dist, 'packages', name), { recursive: true });
    write('package.json', { name, version, author, license });
    write(packedNames, [...own]);
  }
}

function writeDeclarations(): void {
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const { status, error } = spawnSync(tsc, ['--project', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the source does not compile', { cause: error });
}

/** The declarations that importers of the package can reach. */
function publicDeclarations(): ReadonlySet<string> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const reached = new Set<string>([join(root, exports['.'].types)]);
  for (const file of reached) {
    const imports = readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g);
    for (const [, path = ''] of imports) reached.add(join(file, '..', `${path}.d.ts`));
  }
  return reached;
}

function keepDeclarations(kept: ReadonlySet<string>): void {
  for (const file of globSync('**/*.d.ts', { cwd: dist })) {
    if (!kept.has(join(dist, file))) rmSync(join(dist, file));
  }
}
