import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Licences that allow publishing the code as part of ours, as long as the licence text goes with it. */
const allowed = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Unlicense', 'OFL-1.1']);

/** The licences of the modules' packages. Throws for a package without a licence text, or with a licence that is not allowed. */
export function thirdPartyNotice(modules: readonly string[]): string {
  const folders = new Set(modules.map(packageFolderOf).filter((folder) => folder !== null));
  const sections = [...folders].sort().map(sectionOf);
  return ['The files beside this one hold code and fonts of others, under these licences.', ...sections].join(
    `\n\n${line}\n\n`,
  );
}

const line = '-'.repeat(80);

/** `/x/node_modules/@scope/name` of a module in it; null for one of ours. */
function packageFolderOf(module: string): string | null {
  const parts = module.split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return null;
  const length = parts[at + 1]?.startsWith('@') ? 3 : 2;
  return parts.slice(0, at + length).join(sep);
}

function sectionOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!allowed.has(license)) throw new Error(`${name} has the licence ${license}, which may not be bundled`);
  // A dedication to the public domain asks for no text.
  if (license === 'Unlicense') return `${name} ${version} (${license})`;
  const [file] = globSync('{LICENSE,LICENCE,License,license}{,.md,.txt}', { cwd: folder }).sort();
  if (file === undefined) throw new Error(`${name} has no licence text to pass on`);
  const texts = [file, 'NOTICE'].filter((name) => existsSync(join(folder, name)));
  const read = texts.map((text) => readFileSync(join(folder, text), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...read].join('\n\n');
}
