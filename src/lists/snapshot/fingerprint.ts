import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { curatedFiles } from '../sources/curated.ts';
import { packageVersion } from '../sources/read-packages.ts';
import { packageSources, referencePackages, rolePackage, tldSource } from '../sources/source-catalogue.ts';
import { formatVersion } from './snapshot-file.ts';

/** Changes with the rules in this folder that the format number does not cover: raise it when they change. */
const rulesVersion = 10;

export interface InputFolders {
  /** The hand-written files. */
  readonly curatedDir: string;
  /** Downloaded editions, `NAME.txt`. */
  readonly sourcesDir: string;
}

/** The path of a source's downloaded edition. */
export function overridePath(folders: InputFolders, name: string): string {
  return join(folders.sourcesDir, `${name}.txt`);
}

/** The sources that a download may replace. */
const overridden = [...packageSources.map((source) => source.name), tldSource];

/** One value for all inputs of a snapshot, cheap enough for every start. */
export function inputFingerprint(folders: InputFolders): string {
  const hash = createHash('sha256').update(`format ${formatVersion} rules ${rulesVersion}\n`);
  for (const name of [...packageSources.map((source) => source.name), rolePackage.name, ...referencePackages]) {
    hash.update(`${name}@${packageVersion(name)}\n`);
  }
  for (const file of curatedFiles) {
    const path = join(folders.curatedDir, file);
    hash.update(`${file}\n`).update(existsSync(path) ? readFileSync(path) : '');
  }
  for (const name of overridden) {
    const path = overridePath(folders, name);
    if (!existsSync(path)) continue;
    const { size, mtimeMs } = statSync(path);
    // In milliseconds: a copy from another instance has no finer time.
    hash.update(`${name} ${size} ${Math.round(mtimeMs)}\n`);
  }
  return hash.digest('hex');
}
