import { memoiseByObject } from '../platform/memoise-by-object.ts';
import { type Naming, noNamings } from '../signals/sources.ts';
import type { ListState } from './list-state.ts';
import { firstDayOf } from './snapshot/first-named.ts';
import { domainLists, Flag } from './snapshot/flags.ts';
import { entryName, type ListTable } from './snapshot/list-table.ts';
import type { Snapshot } from './snapshot/snapshot-file.ts';
import { entriesFor, isNamed } from './snapshot/walk.ts';
import { allSources, kindBits, type SourceKind } from './sources/source-catalogue.ts';

/** The statement of each kind of source about the names that it lists; the other kinds say nothing about a single name. */
const statementOfKind: Readonly<Partial<Record<SourceKind, Naming['says']>>> = {
  strong: 'disposable',
  gathered: 'disposable',
  weak: 'disposable',
  public: 'public',
  own_public: 'public',
  relay: 'relay',
  allow: 'allowed',
  boundary: 'free_subdomain',
};

const operatorStatements: readonly (readonly [flag: number, says: Naming['says']])[] = [
  [Flag.allow, 'allowed'],
  [Flag.strong, 'disposable'],
  [Flag.public, 'public'],
  [Flag.relaySubdomains, 'relay'],
  [Flag.spam, 'spam'],
];

const namingSources = allSources.flatMap(({ name, kind }, index) => {
  const says = statementOfKind[kind];
  return says === undefined ? [] : [{ name, says, bit: 2 ** index }];
});
const namingBits = namingSources.reduce((bits, { bit }) => bits | bit, 0);
/** Every TLD has an entry, which names no domain. */
const silentBits = kindBits('tld') | kindBits('known');

/** The sources with an entry for a domain or for a parent. Most domains have none, which costs one short walk. */
export function namedBy({ snapshot, operator }: ListState, name: string): readonly Naming[] {
  const { table, header } = snapshot;
  const isListed = isNamed(table, name, ~silentBits);
  const isOwn = operator.table.flags.length > 0 && isNamed(operator.table, name, 0);
  if (!isListed && !isOwn) return noNamings;
  const namings = isOwn ? operatorNamings(operator.table, name) : [];
  if (!isListed) return namings;
  const dates = new Map(header.sources.map((source) => [source.name, source.date]));
  for (const index of entriesFor(table, name)) {
    const entry = entryName(table, index);
    const [flags, sources] = [table.flags[index] as number, table.sources[index] as number];
    for (const { name: source, says, bit } of namingSources) {
      if ((sources & bit) === 0 || !concerns(says, flags, entry === name)) continue;
      namings.push({ source, says, entry, date: dates.get(source) ?? null });
    }
  }
  return namings;
}

/** A source's statement about a name, with its dates. */
export interface DatedNaming extends Naming {
  /** The day on which its publisher first saw the entry; null where it does not say. */
  readonly firstSeen: string | null;
  /** The day of the first edition in use here that has the entry; null when that was before `since`. */
  readonly firstNamed: string | null;
}

/** The sources that name a domain with their dates, and since when this installation records them. */
export function datedNamings(state: ListState, name: string): { since: string; namings: DatedNaming[] } {
  const { header } = state.snapshot;
  const namings = namedBy(state, name).map((naming) => ({
    ...naming,
    firstSeen: header.seen?.[naming.source]?.[naming.entry]?.split('..')[0] ?? null,
    firstNamed: firstDayOf(header, naming.source, naming.entry),
  }));
  return { since: header.firstNamed?.since ?? header.builtAt, namings };
}

function operatorNamings(table: ListTable, name: string): Naming[] {
  return entriesFor(table, name).flatMap((index) => {
    const entry = entryName(table, index);
    const flags = table.flags[index] as number;
    return operatorStatements
      .filter(([flag, says]) => (flags & flag) !== 0 && concerns(says, flags, entry === name))
      .map(([, says]) => ({ source: 'operator', says, entry, date: null }));
  });
}

function concerns(says: Naming['says'], flags: number, isNameItself: boolean): boolean {
  if (says === 'allowed' || says === 'disposable' || says === 'spam') return true;
  return domainLists[says].concerns(flags, isNameItself);
}

/** How many names each source alone has. */
export const namesAlone = memoiseByObject(({ table }: Snapshot): ReadonlyMap<string, number> => {
  const alone = new Map(namingSources.map(({ bit }) => [bit, 0]));
  for (const sources of table.sources) {
    const bits = sources & namingBits;
    if (alone.has(bits)) alone.set(bits, (alone.get(bits) ?? 0) + 1);
  }
  return new Map(namingSources.map(({ name, bit }) => [name, alone.get(bit) ?? 0]));
});
