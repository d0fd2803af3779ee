// Runs before `npm pack`: bundles src/ into dist/, because Node strips no types under node_modules, and because few files load faster.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { root } from './test-files.ts';
import { thirdPartyNotice } from './third-party-notice.ts';

const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
writeDeclarations();
keepDeclarations(publicDeclarations());
const modules = await bundle(dist);
writeFileSync(join(dist, 'THIRD-PARTY.txt'), thirdPartyNotice(modules));
// Its dependency tldjs has an install script, which users who install our package should not run.
copyData('freemail', ['package.json', 'LICENSE', 'data/free.txt']);

function copyData(name: string, files: readonly string[]): void {
  for (const file of files) cpSync(join(root, 'node_modules', name, file), join(dist, 'packages', name, file));
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
