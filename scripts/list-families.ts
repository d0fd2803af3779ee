// node scripts/list-families.ts: writes the families of disposable lists in docs/lists.md from the installed packages.
//   --check   only compares; also fails when two lists that both vote are one family
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPackage, type SourceList } from '../src/lists/sources/read-packages.ts';
import { type PackageSource, packageSources, voteText } from '../src/lists/sources/source-catalogue.ts';
import { root } from './test-files.ts';

type Declared = Pick<PackageSource, 'name' | 'kind' | 'copies'>;
type Named = Pick<SourceList, 'name' | 'names'>;

/** Two lists that share more than this of the smaller one's own names are one family. */
const maxShared = 2 / 3;

/** Two lists that both vote, and which part of their own names they share. */
interface Pair {
  readonly lists: readonly [string, string];
  /** Of the smaller list's own names. */
  readonly share: number;
}

/** The names of each voting list that none of the lists it copies has. */
function ownNames(sources: readonly Declared[], lists: readonly Named[]): Map<string, Set<string>> {
  const all = new Map(lists.map(({ name, names }) => [name, new Set(names)]));
  const voting = sources.filter(({ kind }) => kind !== 'strong' && kind !== 'public');
  return new Map(
    voting.map(({ name, copies = [] }) => {
      const own = new Set(all.get(name));
      for (const each of copies) for (const copied of all.get(each) ?? []) own.delete(copied);
      return [name, own];
    }),
  );
}

/** Every pair of voting lists of which neither is declared a copy of the other. */
export function independentPairs(sources: readonly Declared[], lists: readonly Named[]): Pair[] {
  const own = [...ownNames(sources, lists)];
  const isCopy = (one: string, other: string): boolean =>
    sources.some(({ name, copies = [] }) => name === one && copies.includes(other));
  return own.flatMap(([one, ones], index) =>
    own.slice(index + 1).flatMap(([other, others]) => {
      if (isCopy(one, other) || isCopy(other, one)) return [];
      const shared = ones.intersection(others).size;
      return [{ lists: [one, other] as const, share: shared / Math.max(1, Math.min(ones.size, others.size)) }];
    }),
  );
}

/** The pairs that are declared independent and are not. */
export function familyProblems(sources: readonly Declared[], lists: readonly Named[]): string[] {
  return independentPairs(sources, lists)
    .filter(({ share }) => share > maxShared)
    .map(
      ({ lists: [one, other], share }) =>
        `${one} and ${other} share ${per(share)} of the smaller one's own names: declare which one copies the other`,
    );
}

/** The families, the pairs that may agree, and the conclusion, as Markdown. */
function familiesText(lists: readonly SourceList[]): string {
  const own = ownNames(packageSources, lists);
  const rows = packageSources.flatMap((source) => {
    const list = lists.find(({ name }) => name === source.name);
    const names = own.get(source.name);
    if (list === undefined || names === undefined) return [];
    const copies = source.copies?.map((name) => `\`${name}\``).join(', ') ?? '–';
    const edition = `${list.version}, ${list.date?.slice(0, 10) ?? 'unknown'}`;
    return [
      `| \`${source.name}\` | ${edition} | ${count(list.names.length)} | ${copies} | ${count(names.size)} | ${voteText(source)} |`,
    ];
  });
  const pairs = independentPairs(packageSources, lists).map(
    ({ lists: [one, other], share }) => `\`${one}\` and \`${other}\` (${per(share)})`,
  );
  return [
    '| list | edition | names | takes names from | own names | votes for its own names |\n|---|---|---:|---|---:|---|',
    rows.join('\n'),
    '',
    `Only these pairs can agree, with the shared part of the smaller list's own names: ${pairs.join('; ')}. Above ${per(maxShared)} they would be one family.`,
  ].join('\n');
}

function count(value: number): string {
  return value.toLocaleString('en-GB');
}

function per(share: number): string {
  return `${Math.round(share * 100)} %`;
}

if (import.meta.main) {
  const lists = packageSources.map(readPackage);
  const file = join(root, 'docs/lists.md');
  const text = readFileSync(file, 'utf8');
  const between = /(<!-- written by scripts\/list-families\.ts -->\n)[\s\S]*?(\n<!-- end -->)/;
  if (!between.test(text)) throw new Error('docs/lists.md has no place for the families');
  const written = text.replace(between, (_, start: string, end: string) => `${start}${familiesText(lists)}${end}`);
  const problems = familyProblems(packageSources, lists);
  if (!process.argv.includes('--check')) writeFileSync(file, written);
  else if (written !== text) problems.push('docs/lists.md is stale; run: node scripts/list-families.ts');
  for (const problem of problems) console.error(`list-families: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
