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

/** Where the progress is for other processes to see: which of them a browser asks is not for it to choose. */
export interface SharedProgress {
  /** What was last saved by any process, and when; null when nothing was. */
  read(): { readonly progress: RefreshProgress; readonly savedAtMs: number } | null;
  save(progress: RefreshProgress): void;
}

/** While bytes come it is saved this often, so that others see that it goes on. */
const saveEveryMs = 5_000;
/** A refresh of which nothing was heard for so long has ended with its process. */
const silentMs = 60_000;

/** `now` is the wall clock. */
export function createListRefresh(work: RefreshWork, shared: SharedProgress, now: () => number): ListRefresh {
  /** That of a refresh in this process. */
  let own: RefreshProgress = never;
  let savedAtMs = 0;
  const update = (change: Partial<RefreshProgress>): void => {
    own = { ...own, ...change };
    shared.save(own);
    savedAtMs = now();
  };
  const progressNow = (): RefreshProgress => {
    if (isRunning(own)) return own;
    const saved = shared.read();
    if (saved === null) return own;
    const isTrue = !isRunning(saved.progress) || now() - saved.savedAtMs < silentMs;
    return isTrue ? saved.progress : { ...saved.progress, endedAtMs: saved.savedAtMs, current: null, error: lost };
  };
  const hooks: RefreshHooks = {
    onStart: (source) => update({ current: { source, receivedBytes: 0, totalBytes: null } }),
    onProgress(source, receivedBytes, totalBytes) {
      const current = { source, receivedBytes, totalBytes };
      if (now() - savedAtMs >= saveEveryMs) update({ current });
      else own = { ...own, current };
    },
    onResult(result) {
      // A source that is taken back later is told of again.
      const others = own.results.filter(({ source }) => source !== result.source);
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
    progress: progressNow,
    async begin(only, by) {
      if (work.refusal !== null) return work.refusal;
      const sources = work.sources();
      const unknown = only?.find((name) => !sources.some((source) => source.name === name));
      if (unknown !== undefined) return `There is no source "${unknown}".`;
      if (isRunning(progressNow())) return null;
      await work.note(only, by);
      // Somebody else may have asked meanwhile.
      if (isRunning(progressNow())) return null;
      const total = sources.filter(({ name, enabled }) => only?.includes(name) ?? enabled).length;
      update({ ...never, startedAtMs: now(), total });
      run(only);
      return null;
    },
  };
}

const lost = 'The process that refreshed the lists ended before it was done.';

const isRunning = ({ startedAtMs, endedAtMs }: RefreshProgress): boolean => startedAtMs !== null && endedAtMs === null;
