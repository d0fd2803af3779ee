import type { Suggest } from '../../src/address/suggest.ts';
import { type ListLookup, listLookup } from '../../src/lists/list-lookup.ts';
import { listState } from '../../src/lists/list-state.ts';
import { operatorEntries } from '../../src/lists/operator/operator-entries.ts';
import { type OperatorList, operatorLists } from '../../src/lists/operator/operator-list.ts';
import { type Build, type BuildOrder, build } from '../../src/lists/snapshot/build.ts';
import { combine } from '../../src/lists/snapshot/combine.ts';
import { buildTable } from '../../src/lists/snapshot/list-table.ts';
import type { Curated } from '../../src/lists/sources/curated.ts';
import type { SourceList } from '../../src/lists/sources/read-packages.ts';
import { packageSources } from '../../src/lists/sources/source-catalogue.ts';

/** The input of a test: names by package, hand-written rows, the operator's entries. */
export interface TestListsInput {
  readonly packages?: Readonly<Record<string, readonly string[]>>;
  readonly providers?: Readonly<Record<string, readonly string[]>>;
  readonly curated?: Partial<Curated>;
  readonly suggest?: Suggest;
  readonly rankOf?: (registrable: string) => number | null;
  readonly operator?: Readonly<Partial<Record<OperatorList, readonly string[]>>>;
}

const nothing: Curated = {
  relays: [],
  boundaries: [],
  publicDomains: [],
  notPublic: [],
  allowlist: [],
  overrule: [],
  neverFlag: [],
  brands: [],
  disposableDomains: [],
  roles: [],
  roleWords: [],
  rolePlaces: [],
  throwawaySuffixes: [],
  throwawayWords: { passing: ['temp'], mail: ['mail'] },
  tldTrust: { default: 1, countryDefault: 2, entries: new Map() },
};

/** Lists over a few names, for tests of the rules: the real combining, table and lookup, without files. */
export function testLists(made: TestListsInput): ListLookup {
  const providers = new Map(Object.entries(made.providers ?? {}));
  const lists = Object.entries(made.packages ?? {}).map(([name, names]) => ({
    ...madeUpSource(name, names),
    providers: name === 'fakefilter' ? providers : new Map(),
  }));
  const suggest = made.suggest ?? (() => null);
  const curated = { ...nothing, ...made.curated };
  const combined = combine({ lists, curated, tlds: ['com', 'net', 'org', 'de', 'uk', 'to', 'me'], suggest });
  const header = {
    builtAt: '2026-01-03T00:00:00.000Z',
    fingerprint: 'made up',
    sources: [
      ...lists.map(({ name, version, date, licence, names }) => ({
        name,
        version,
        date,
        licence,
        count: names.length,
      })),
      { name: 'tlds', version: '1.2.3', date: '2026-01-04T00:00:00.000Z', licence: 'MIT', count: 7 },
    ],
    counts: {},
    droppedSuffixes: combined.droppedSuffixes,
    refused: [],
    providers: combined.providers,
    roles: curated.roles,
    roleWords: curated.roleWords,
    rolePlaces: curated.rolePlaces,
  };
  const operator = operatorEntries(
    operatorLists.flatMap((list) => (made.operator?.[list] ?? []).map((entry) => ({ list, entry }))),
  );
  const state = listState({ header, table: buildTable(combined.entries), sizeBytes: 0 }, operator);
  return listLookup(() => state, suggest, made.rankOf);
}

/** The list of a data package with these names. */
function madeUpSource(name: string, names: readonly string[]): SourceList {
  const date = '2026-01-02T00:00:00.000Z';
  return { name, names, version: '1', licence: 'MIT', date, rejected: 0, providers: new Map() };
}

/**
 * Builds snapshots from data packages with these names, and no others. A build from the installed packages takes seconds of processor
 * time.
 */
export function buildFrom(
  packages: Readonly<Record<string, readonly string[]>>,
): (order: BuildOrder) => Promise<Build> {
  const lists = packageSources.map(({ name }) => madeUpSource(name, packages[name] ?? []));
  return async (order) => build(order, lists);
}
