import type { Actor } from '../actor.ts';

/** What came of one source. */
export interface SourceResult {
  readonly source: string;
  readonly result: string;
  /** How much the edition in use holds. */
  readonly count: number;
  /** Null where the edition before is not known. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly reason: string | null;
}

/** How far a refresh is; `startedAtMs` is null before the first of this process. */
export interface RefreshProgress {
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly total: number;
  readonly current: {
    readonly source: string;
    readonly receivedBytes: number;
    readonly totalBytes: number | null;
  } | null;
  readonly results: readonly SourceResult[];
  /** Why the whole of it ended badly. */
  readonly error: string | null;
}

/** Who is told how a refresh goes. */
export interface RefreshHooks {
  onStart(source: string): void;
  onProgress(source: string, receivedBytes: number, totalBytes: number | null): void;
  onResult(result: SourceResult): void;
}

/** What a refresh needs of the lists. */
export interface RefreshWork {
  /** Why nothing can be downloaded at all; null when it can. */
  readonly refusal: string | null;
  /** The sources there are, and whether each is on. */
  sources(): readonly { readonly name: string; readonly enabled: boolean }[];
  run(only: readonly string[] | null, hooks: RefreshHooks): Promise<readonly SourceResult[]>;
  /** Notes who asked for it. */
  note(only: readonly string[] | null, by: Actor): Promise<void>;
}

/** Refreshes the lists, one refresh at a time. */
export interface ListRefresh {
  /** Begins, or joins the one under way; what is wrong with the sources instead. */
  begin(only: readonly string[] | null, by: Actor): Promise<string | null>;
  progress(): RefreshProgress;
}

const never: RefreshProgress = {
  startedAtMs: null,
  endedAtMs: null,
  total: 0,
  current: null,
  results: [],
  error: null,
};

/** `now` is the wall clock. */
export function createListRefresh(work: RefreshWork, now: () => number): ListRefresh {
  let progress = never;
  const isRunning = (): boolean => progress.startedAtMs !== null && progress.endedAtMs === null;
  const update = (change: Partial<RefreshProgress>): void => {
    progress = { ...progress, ...change };
  };
  const hooks: RefreshHooks = {
    onStart: (source) => update({ current: { source, receivedBytes: 0, totalBytes: null } }),
    onProgress: (source, receivedBytes, totalBytes) => update({ current: { source, receivedBytes, totalBytes } }),
    onResult(result) {
      // A source that is taken back later is told of again.
      const others = progress.results.filter(({ source }) => source !== result.source);
      update({ current: null, results: [...others, result] });
    },
  };
  const run = async (only: readonly string[] | null): Promise<void> => {
    try {
      const results = await work.run(only, hooks);
      update({ endedAtMs: now(), current: null, results });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      update({ endedAtMs: now(), current: null, error: reason });
    }
  };
  return {
    progress: () => progress,
    async begin(only, by) {
      if (work.refusal !== null) return work.refusal;
      const sources = work.sources();
      const unknown = only?.find((name) => !sources.some((source) => source.name === name));
      if (unknown !== undefined) return `There is no source "${unknown}".`;
      if (isRunning()) return null;
      await work.note(only, by);
      // Somebody else may have asked meanwhile.
      if (isRunning()) return null;
      const total = sources.filter(({ name, enabled }) => only?.includes(name) ?? enabled).length;
      progress = { ...never, startedAtMs: now(), total };
      run(only);
      return null;
    },
  };
}
