import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { cleanNames, linesOf } from '../../src/lists/sources/read-packages.ts';

/** How a set is made from the files of a repository; see benchmark.json. */
export interface SetRecipe {
  readonly name: string;
  readonly label: string;
  readonly repository: string;
  readonly commit: string;
  readonly files: readonly string[];
  readonly rule: string;
  readonly days?: number;
  /** A commit whose names are excluded. */
  readonly without?: string;
  readonly rows?: number;
  readonly sha256?: string;
}

/** A set, built: its names in order, and the month in which a name first appeared, where the publisher says so. */
export interface BuiltSet {
  readonly recipe: SetRecipe;
  readonly names: readonly string[];
  readonly months: ReadonlyMap<string, string>;
}

/** A file of a repository: bare clones are in `FOLDER/OWNER+NAME.git`. */
export function fileAt(folder: string, repository: string, commit: string, file: string): string {
  return git(folder, repository, 'show', `${commit}:${file}`);
}

function git(folder: string, repository: string, ...parameters: readonly string[]): string {
  const clone = join(folder, `${repository.replace('/', '+')}.git`);
  return execFileSync('git', ['--git-dir', clone, ...parameters], { encoding: 'utf8', maxBuffer: 2 ** 28 });
}

/** Builds a set; throws when it is not the set of the recipe. */
export function buildSet(recipe: SetRecipe, folder: string): BuiltSet {
  const months = new Map<string, string>();
  const raw = namesAt(recipe, recipe.commit, folder, months);
  const before = new Set(recipe.without === undefined ? [] : namesAt(recipe, recipe.without, folder, months));
  const names = cleanNames(raw.filter((name) => !before.has(name))).names.sort();
  const sha256 = hash('sha256', names.join('\n'));
  if (recipe.sha256 !== undefined && recipe.sha256 !== sha256) {
    throw new Error(
      `${recipe.name} has ${names.length} names with the checksum ${sha256}, not those of benchmark.json`,
    );
  }
  return { recipe: { ...recipe, rows: names.length, sha256 }, names, months };
}

function namesAt(recipe: SetRecipe, commit: string, folder: string, months: Map<string, string>): string[] {
  if (recipe.rule === 'reversed_paths') return reversedPaths(recipe, commit, folder);
  return recipe.files.flatMap((file) => {
    const text = fileAt(folder, recipe.repository, commit, file);
    if (recipe.rule === 'lines') return linesOf(text).map((name) => name.toLowerCase());
    if (recipe.rule === 'first_column') return linesOf(text).map((line) => line.split(',', 1)[0]?.toLowerCase() ?? '');
    if (recipe.rule === 'domains_of_objects') {
      const objects: { domains: string[] }[] = JSON.parse(text);
      return objects.flatMap(({ domains }) => domains);
    }
    if (recipe.rule === 'seen_within_days') return seenSince(text, recipe.days ?? 0, months);
    throw new Error(`benchmark.json: there is no rule "${recipe.rule}"`);
  });
}

/** swot has a file per domain: `lib/domains/edu/mit.txt`. */
function reversedPaths({ repository, files }: SetRecipe, commit: string, folder: string): string[] {
  const paths = git(folder, repository, 'ls-tree', '-r', '--name-only', commit, ...files).split('\n');
  const [top = ''] = files;
  return paths
    .filter((path) => path.endsWith('.txt'))
    .map((path) =>
      path
        .slice(top.length + 1, -'.txt'.length)
        .split('/')
        .reverse()
        .join('.'),
    )
    .filter((name) => name.includes('.'));
}

interface SeenFile {
  readonly t: number;
  readonly domains: Readonly<Record<string, { readonly hosts: Readonly<Record<string, { firstseen?: number }>> }>>;
}

function seenSince(text: string, days: number, months: Map<string, string>): string[] {
  const { t, domains }: SeenFile = JSON.parse(text);
  const hosts = Object.values(domains).flatMap(({ hosts: each }) => Object.entries(each));
  return hosts.flatMap(([name, { firstseen = 0 }]) => {
    if (firstseen < t - days * 86_400) return [];
    months.set(name, new Date(firstseen * 1_000).toISOString().slice(0, 7));
    return [name];
  });
}
