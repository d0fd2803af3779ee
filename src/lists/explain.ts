import type { Evidence } from '../reading.ts';
import type { ListState } from './list-state.ts';
import { Flag } from './snapshot/flags.ts';
import { entryName } from './snapshot/list-table.ts';
import { entriesFor, ratedSuffix } from './snapshot/walk.ts';
import { allSources, type SourceKind, sourceBit, sourcesIn, tldSource } from './sources/source-catalogue.ts';

/** The lists that can be explained. */
export type ExplainedList = 'disposable' | 'public' | 'relay' | 'free_subdomain' | 'spam' | 'tld';

/** What each kind of source says about a name, for each list it bears on. */
const sentences: Readonly<Record<ExplainedList, Partial<Record<SourceKind, string>>>> = {
  disposable: {
    strong: 'lists it as disposable',
    kept: 'lists it as disposable (counts alone under throwaway suffixes; elsewhere another list that is not a copy must agree)',
    gathered: 'lists it as disposable (it repeats others: counts where the weak lists are silent)',
    weak: 'lists it as disposable (a weak vote: another list that is not a copy must agree)',
    allow: 'allows it, unless a strong source lists it',
    relay: 'lists it as a relay, which is never disposable',
  },
  public: {
    public: 'lists it as a public mail service',
    own_public: 'lists it as a public mail service',
  },
  relay: { relay: 'lists it as a relay' },
  free_subdomain: { free_subdomain: 'names the suffix as a service that gives subdomains away' },
  spam: {},
  tld: {},
};

const operatorSentences: Readonly<Record<ExplainedList, readonly (readonly [number, string])[]>> = {
  disposable: [
    [Flag.allow, 'the operator allows it'],
    [Flag.strong, 'the operator lists it as disposable'],
    [Flag.relaySubdomains, 'the operator lists it as a relay, which is never disposable'],
  ],
  public: [[Flag.public, 'the operator lists it as public']],
  relay: [[Flag.relaySubdomains, 'the operator lists it as a relay']],
  free_subdomain: [],
  spam: [
    [Flag.allow, 'the operator allows it'],
    [Flag.spam, 'the operator lists it as spam'],
  ],
  tld: [],
};

/** Who says what about a name in one list: evidence for the verdict, and votes that were not enough for one. */
export function explain(state: ListState, list: ExplainedList, name: string): Evidence[] {
  if (list === 'tld') return tldEvidence(state, name);
  return [...operatorEvidence(state, list, name), ...snapshotEvidence(state, list, name)];
}

/** The suffix that was rated, and the list by which its TLD exists. */
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

function operatorEvidence({ operator }: ListState, list: ExplainedList, name: string): Evidence[] {
  const { table } = operator;
  return entriesFor(table, name).flatMap((index) => {
    const entry = entryName(table, index);
    if (list === 'public' && entry !== name) return [];
    return operatorSentences[list]
      .filter(([flag]) => ((table.flags[index] as number) & flag) !== 0)
      .map(([, detail]) => ({ source: 'operator', detail, entry }));
  });
}

function snapshotEvidence({ snapshot }: ListState, list: ExplainedList, name: string): Evidence[] {
  const { table, header } = snapshot;
  const dates = new Map(header.sources.map((source) => [source.name, source.date]));
  return entriesFor(table, name).flatMap((index) => {
    const entry = entryName(table, index);
    const flags = table.flags[index] as number;
    if (!concerns(list, flags, entry === name)) return [];
    return sourcesIn(table.sources[index] as number).flatMap((source) => {
      const detail = sentence(list, kindOf(source), flags);
      if (detail === undefined) return [];
      const date = dates.get(source);
      const [first, last] = header.seen?.[source]?.[entry]?.split('..') ?? [];
      const days = first === undefined ? '' : `, first seen ${first}, last seen ${last}`;
      return [{ source, detail: `${detail}${days}`, entry, ...(date ? { date } : {}) }];
    });
  });
}

function sentence(list: ExplainedList, kind: SourceKind, flags: number): string | undefined {
  const overrules = kind === 'allow' && list === 'disposable' && (flags & Flag.overrule) !== 0;
  return overrules ? 'allows it, whatever lists it' : sentences[list][kind];
}

/** Public holds for the name itself only, a relay's subdomains only where its row says so, a suffix flags only tenants. */
function concerns(list: ExplainedList, flags: number, isNameItself: boolean): boolean {
  if (list === 'public') return isNameItself;
  if (list === 'relay') return isNameItself || (flags & Flag.relaySubdomains) !== 0;
  if (list === 'free_subdomain') return !isNameItself && (flags & Flag.free) !== 0;
  return true;
}

function kindOf(source: string): SourceKind {
  const found = allSources[Math.log2(sourceBit(source))];
  if (found === undefined) throw new Error(`No list source is called ${source}`);
  return found.kind;
}
