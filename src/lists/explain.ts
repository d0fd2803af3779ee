import type { Evidence } from '../reading.ts';
import type { ListName } from '../signals/sources.ts';
import type { ListState } from './list-state.ts';
import { type DomainList, domainLists, Flag } from './snapshot/flags.ts';
import { entryName } from './snapshot/list-table.ts';
import { entriesFor, ratedSuffix } from './snapshot/walk.ts';
import {
  allSources,
  repeatedBy,
  type SourceKind,
  sourceBit,
  sourcesIn,
  tldSource,
} from './sources/source-catalogue.ts';

/** Each source's statement about a name in one list: evidence for the verdict, and votes that were not enough for one. */
export function explain(state: ListState, list: ListName | 'tld', name: string): Evidence[] {
  if (list === 'tld') return tldEvidence(state, name);
  return [...operatorEvidence(state, list, name), ...snapshotEvidence(state, list, name)];
}

/** The rated suffix, and the list that contains its TLD. */
function tldEvidence({ snapshot: { table, header } }: ListState, name: string): Evidence[] {
  const rated = ratedSuffix(table, name);
  if (rated === null) return [];
  const tlds = header.sources.find((source) => source.name === tldSource);
  const date = tlds?.date ?? null;
  return [
    { source: 'data/tld-trust.json', detail: `rates it ${rated.trust} of 5`, entry: rated.suffix },
    {
      source: tldSource,
      detail: `the TLD exists (${tlds?.version ?? 'unknown edition'})`,
      entry: name.slice(name.lastIndexOf('.') + 1),
      ...(date === null ? {} : { date }),
    },
  ];
}

function operatorEvidence({ operator }: ListState, list: ListName, name: string): Evidence[] {
  const { table } = operator;
  return entriesFor(table, name).flatMap((index) => {
    const entry = entryName(table, index);
    if (list === 'public' && entry !== name) return [];
    return domainLists[list].operatorEvidence
      .filter(([flag]) => ((table.flags[index] as number) & flag) !== 0)
      .map(([, detail]) => ({ source: 'operator', detail, entry }));
  });
}

function snapshotEvidence({ snapshot }: ListState, list: ListName, name: string): Evidence[] {
  const { table, header } = snapshot;
  const { concerns }: DomainList = domainLists[list];
  const dates = new Map(header.sources.map((source) => [source.name, source.date]));
  return entriesFor(table, name).flatMap((index) => {
    const entry = entryName(table, index);
    const flags = table.flags[index] as number;
    if (concerns?.(flags, entry === name) === false) return [];
    const named = table.sources[index] as number;
    return sourcesIn(named).flatMap((source) => {
      const detail = repeatText(list, source, named) ?? evidenceText(list, kindOf(source), flags);
      if (detail === undefined) return [];
      const date = dates.get(source);
      const [first, last] = header.seen?.[source]?.[entry]?.split('..') ?? [];
      const days = first === undefined ? '' : `, first seen ${first}, last seen ${last}`;
      return [{ source, detail: `${detail}${days}`, entry, ...(date ? { date } : {}) }];
    });
  });
}

function evidenceText(list: ListName, kind: SourceKind, flags: number): string | undefined {
  const overrules = kind === 'allow' && list === 'disposable' && (flags & Flag.overrule) !== 0;
  const { evidence }: DomainList = domainLists[list];
  return overrules ? 'allows it, even against a strong source' : evidence[kind];
}

/** The evidence of a copy where the list it copies has the name too. */
function repeatText(list: ListName, source: string, named: number): string | undefined {
  const repeated = list === 'disposable' ? repeatedBy(source, named) : [];
  return repeated.length === 0 ? undefined : `lists it as disposable (no vote: it copies ${repeated.join(' and ')})`;
}

function kindOf(source: string): SourceKind {
  const found = allSources[Math.log2(sourceBit(source))];
  if (found === undefined) throw new Error(`No list source is called ${source}`);
  return found.kind;
}
