import { readFileSync } from 'node:fs';
import { fileStamp } from '../files/file-stamp.ts';
import { curatedData } from '../files/package-files.ts';
import type { YieldWhenDue } from '../platform/yielding.ts';
import type { RankSource } from '../signals/sources.ts';
import { changedNames, listsDigest } from './changed-names.ts';
import { entryBehind } from './entry-behind.ts';
import { type ListLookup, listLookup } from './list-lookup.ts';
import { type ListState, listState } from './list-state.ts';
import { datedNamings, namesAlone } from './named-by.ts';
import { type EntrySource, followEntries } from './operator/entry-follower.ts';
import { type OperatorEntries, operatorEntries } from './operator/operator-entries.ts';
import type { OperatorList } from './operator/operator-list.ts';
import { Verdict } from './snapshot/flags.ts';
import { type ListLog, type SnapshotOptions, snapshotStore } from './snapshot/kept-snapshot.ts';
import { entryName, type ListTable } from './snapshot/list-table.ts';
import { decodeSnapshot, type Snapshot, type SourceStatus } from './snapshot/snapshot-file.ts';
import { readSuggester } from './snapshot/suggester.ts';

/** The dependencies of the lists. */
export interface ListOptions extends Omit<SnapshotOptions, 'curatedDir'> {
  /** The hand-written files; the project's own data/ by default. */
  readonly curatedDir?: string;
  /** A popular name is not disposable by weak votes, and not a typo of another. */
  readonly ranks?: RankSource;
  /** The operator's own entries; without it there are none. */
  readonly operator?: EntrySource;
}

/** The lists' age, sources and sizes, for `lists status`, the dashboard and metrics. */
export interface ListStatus {
  readonly builtAt: string;
  readonly fingerprint: string;
  readonly sizeBytes: number;
  readonly sources: readonly (SourceStatus & {
    /** Names that no other source has; null for a source that names no domains. */
    readonly alone: number | null;
  })[];
  readonly counts: Readonly<Record<string, number>>;
  readonly refusedDownloads: readonly string[];
  readonly operator: Readonly<Record<OperatorList, number>>;
}

/** The open lists: queries for signals, and operations for operators. */
export interface Lists extends ListLookup {
  status(): ListStatus;
  /** Every name that lists call disposable, public or a relay, in alphabetical order. */
  names(): string[];
  /** The names whose entries were added, removed or changed their flags since an earlier `revision`. */
  changedSince(revision: ListState, yieldWhenDue: YieldWhenDue): Promise<ReadonlySet<string>>;
  /** A digest of everything the lists say about names; equal lists have equal digests. */
  digest(yieldWhenDue: YieldWhenDue): Promise<string>;
  /** The listed name, the name itself or a parent, whose entry flags it. */
  entryBehind(kind: Parameters<typeof entryBehind>[1], name: string): string;
  /** The sources that name a domain, and since when. */
  datedNamings(name: string): ReturnType<typeof datedNamings>;
  /** Applies changed inputs now: rebuilds the snapshot when a source changed. */
  reload(): Promise<ListStatus>;
  /** Whether the snapshot in use was built from the current inputs. */
  isSnapshotCurrent(): boolean;
  /** Rebuilds the snapshot even when its inputs are unchanged. */
  rebuild(): Promise<ListStatus>;
  /** Reads the operator's entries again after a change. */
  reloadEntries(): Promise<void>;
  /** Loads a snapshot whose file changed, and operator entries that could not be loaded before. */
  poll(): void;
}

const noEntries: EntrySource = { all: async () => [] };

/** Opens the lists of a data directory; builds the snapshot on a first start and after a package or data/ changed. */
export async function openLists(options: ListOptions): Promise<Lists> {
  const curatedDir = options.curatedDir ?? curatedData;
  const store = snapshotStore({ ...options, curatedDir });
  const { log, ranks, operator = noEntries } = options;
  const [snapshot, entries] = await Promise.all([store.open(), operator.all()]);
  const current = followFile(listState(snapshot, operatorEntries(entries)), store.path, log);
  const follower = followEntries(operator, current.useEntries, log);
  const lookup = listLookup(current.state, readSuggester(curatedDir), ranks?.rank);
  return Object.assign(lookup, {
    names: () => namesOf(current.state().snapshot.table, lookup.lookup),
    changedSince: (revision: ListState, yieldWhenDue: YieldWhenDue) =>
      changedNames(revision, current.state(), yieldWhenDue),
    digest: (yieldWhenDue: YieldWhenDue) => listsDigest(current.state(), yieldWhenDue),
    entryBehind: (kind: Parameters<typeof entryBehind>[1], name: string) => entryBehind(current.state(), kind, name),
    datedNamings: (name: string) => datedNamings(current.state(), name),
    status: () => statusOf(current.state()),
    isSnapshotCurrent: () => current.state().snapshot.header.fingerprint === store.fingerprint(),
    reload: async () => statusOf(current.use(await store.open())),
    rebuild: async () => statusOf(current.use(await store.rebuild())),
    reloadEntries: follower.changed,
    poll: () => {
      current.poll();
      follower.retry();
    },
  });
}

/** Holds the lists in use and replaces the snapshot when its file changed. */
function followFile(opened: ListState, path: string, log: ListLog) {
  let stamp = fileStamp(path);
  let state = opened;

  /** The stamp is read before the file, so that a change in between is noticed next time. */
  const refresh = (): void => {
    const before = stamp;
    stamp = fileStamp(path);
    if (stamp === before || stamp === '-') return;
    state = listState(decodeSnapshot(readFileSync(path)), state.operator);
    log.info({ builtAt: state.snapshot.header.builtAt }, 'lists: a new snapshot is in use');
  };
  return {
    state: () => state,
    poll: () => {
      try {
        refresh();
      } catch (error) {
        log.warn({ err: error }, 'lists: a changed file could not be read; the last good lists stay in use');
      }
    },
    use: (snapshot: Snapshot): ListState => {
      stamp = fileStamp(path);
      state = listState(snapshot, state.operator);
      return state;
    },
    useEntries: (operator: OperatorEntries): void => {
      state = { ...state, operator };
    },
  };
}

function statusOf({ snapshot, operator }: ListState): ListStatus {
  const { builtAt, fingerprint, sources, counts, refused } = snapshot.header;
  return {
    builtAt,
    fingerprint,
    sizeBytes: snapshot.sizeBytes,
    sources: sources.map((source) => ({ ...source, alone: namesAlone(snapshot).get(source.name) ?? null })),
    counts,
    refusedDownloads: refused,
    operator: operator.counts,
  };
}

function namesOf(table: ListTable, lookup: (name: string) => number): string[] {
  const wanted = Verdict.disposable | Verdict.public | Verdict.relay;
  return Array.from(table.flags, (_, entry) => entryName(table, entry))
    .filter((name) => name.includes('.') && (lookup(name) & wanted) !== 0)
    .sort();
}
