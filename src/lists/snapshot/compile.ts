import { checkPackageCounts } from '../sources/check-source.ts';
import { type Curated, curatedSources, readCurated } from '../sources/curated.ts';
import { editionInUse } from '../sources/edition-in-use.ts';
import { editionDate } from '../sources/package-dates.ts';
import { packageVersion, readPackages, readRolePackage, readTlds, type SourceList } from '../sources/read-packages.ts';
import { rolePackage, suffixPackage, tldSource } from '../sources/source-catalogue.ts';
import { combine } from './combine.ts';
import { type InputFolders, inputFingerprint, overridePath } from './fingerprint.ts';
import { firstNamed } from './first-named.ts';
import { Flag, singleFlagLists, Verdict } from './flags.ts';
import { buildTable, type ListTable } from './list-table.ts';
import { encodeSnapshot, type Snapshot, type SnapshotHeader } from './snapshot-file.ts';
import { readSuggester } from './suggester.ts';
import { verdict } from './verdict.ts';
import { walk } from './walk.ts';

export interface CompileOptions extends InputFolders {
  readonly now: () => number;
  /** The snapshot that the new one replaces. */
  readonly previous?: Snapshot | null;
  /** The lists of data packages; those of the installed ones by default. */
  readonly packages?: readonly SourceList[] | undefined;
}

/** Builds the snapshot from the packages, data/ and downloads; throws when the result is unusable. */
export function compileSnapshot(options: CompileOptions): Uint8Array {
  const fingerprint = inputFingerprint(options);
  const curated = readCurated(options.curatedDir);
  const packages = options.packages ?? installedPackages();
  const neverFlag = new Set(curated.neverFlag);
  const editions = packages.map((list) => editionInUse(list, overridePath(options, list.name), neverFlag));
  const lists = editions.map(({ list }) => list);
  const tlds = readTlds(overridePath(options, tldSource));
  const combined = combine({
    lists,
    curated,
    tlds: tlds.tlds,
    suggest: readSuggester(options.curatedDir),
  });
  const table = buildTable(combined.entries);
  const flagged = wronglyFlagged(table, curated.neverFlag);
  if (flagged.length > 0) throw new Error(`Lists not built: they flag ${flagged.join(', ')}`);
  const roles = readRolePackage();
  const header: SnapshotHeader = {
    builtAt: new Date(options.now()).toISOString(),
    fingerprint,
    sources: [...sourceStatus(lists, curated, roles), ...referenceStatus(tlds)],
    counts: countFlags(table),
    droppedSuffixes: combined.droppedSuffixes,
    refused: editions.flatMap(({ refused }) => refused ?? []),
    providers: combined.providers,
    roles: [...new Set([...roles.roles, ...curated.roles])].sort(),
    roleWords: curated.roleWords,
    rolePlaces: curated.rolePlaces,
    seen: Object.fromEntries(
      lists.flatMap(({ name, seen }) => (seen === undefined ? [] : [[name, Object.fromEntries(seen)]])),
    ),
    firstNamed: firstNamed(options.previous ?? null, table, options.now()),
  };
  return encodeSnapshot(header, table);
}

function installedPackages(): SourceList[] {
  const packages = readPackages();
  const problems = checkPackageCounts(packages);
  if (problems.length > 0) throw new Error(`Lists not built: ${problems.join('; ')}`);
  return packages;
}

/** Names that must never be flagged but are. */
function wronglyFlagged(table: ListTable, neverFlag: readonly string[]): string[] {
  return neverFlag.filter((name) => (verdict(walk(table, name), 0) & (Verdict.disposable | Verdict.spam)) !== 0);
}

function sourceStatus(
  lists: readonly SourceList[],
  curated: Curated,
  roles: { version: string; date: string | null; roles: readonly string[] },
): SnapshotHeader['sources'] {
  return [
    ...lists.map(({ name, version, date, licence, names }) => ({ name, version, date, count: names.length, licence })),
    {
      name: rolePackage.name,
      version: roles.version,
      date: roles.date,
      count: roles.roles.length,
      licence: rolePackage.licence,
    },
    ...curatedSources.map(({ name, count }) => ({
      name,
      version: 'own',
      date: null,
      count: count(curated),
      licence: 'MIT',
    })),
    { name: 'data/roles.json', version: 'own', date: null, count: curated.roles.length, licence: 'MIT' },
  ];
}

/** The inputs besides lists: the TLDs that exist, and the public suffixes. */
function referenceStatus({ version, date, tlds }: ReturnType<typeof readTlds>): SnapshotHeader['sources'] {
  const suffixVersion = packageVersion(suffixPackage);
  return [
    { name: tldSource, version, date, count: tlds.length, licence: 'MIT' },
    {
      name: suffixPackage,
      version: suffixVersion,
      date: editionDate(suffixPackage, suffixVersion),
      count: 0,
      licence: 'MIT, MPL-2.0',
    },
  ];
}

function countFlags(table: ListTable): Record<string, number> {
  const count = (holds: (flags: number) => boolean): number =>
    table.flags.reduce((n, each) => n + (holds(each) ? 1 : 0), 0);
  const has = (flag: number) => (flags: number) => (flags & flag) !== 0;
  return {
    entries: table.flags.length,
    disposable: count((flags) => (verdict(flags, 0) & Verdict.disposable) !== 0),
    public: count((flags) => (verdict(flags, 0) & Verdict.public) !== 0),
    relay: count(has(Flag.relay)),
    ...Object.fromEntries(singleFlagLists.map(({ flag, countedAs }) => [countedAs, count(has(flag))])),
    spam: count(has(Flag.spam)),
    allow: count(has(Flag.allow)),
  };
}
