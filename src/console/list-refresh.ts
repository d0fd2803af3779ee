import type { Actor } from '../actor.ts';

/** How a refresh of one source can end. */
export const refreshResults = ['updated', 'unchanged', 'refused', 'failed'] as const;

/** How the refresh of one source ended. */
export interface SourceResult {
  readonly source: string;
  readonly result: (typeof refreshResults)[number];
  /** The number of entries in the edition in use. */
  readonly count: number;
  /** Null when the previous edition is unknown. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly reason: string | null;
}

/** The progress of a refresh; `startedAtMs` is null before the process's first one. */
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
  /** Why the refresh as a whole failed. */
  readonly error: string | null;
}

/** Called as a refresh progresses. */
export interface RefreshHooks {
  onStart(source: string): void;
  onProgress(source: string, receivedBytes: number, totalBytes: number | null): void;
  onResult(result: SourceResult): void;
}

/** How a refresh reads and runs the lists. */
export interface RefreshWork {
  /** Why no source can be downloaded; null when downloads are possible. */
  readonly refusal: string | null;
  /** All sources, and whether each is enabled. */
  sources(): readonly { readonly name: string; readonly enabled: boolean }[];
  run(only: readonly string[] | null, hooks: RefreshHooks): Promise<readonly SourceResult[]>;
  /** Records who requested it in the audit trail. */
  record(only: readonly string[] | null, by: Actor): Promise<void>;
}

/** Refreshes the lists, one refresh at a time. */
export interface ListRefresh {
  /** Starts a refresh or joins the running one; returns a problem with the request instead, if there is one. */
  start(only: readonly string[] | null, by: Actor): Promise<string | null>;
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

/** Shares the progress between processes: any of them may receive the browser's next request. */
export interface SharedProgress {
  /** The last progress that any process saved, and when; null without one. */
  read(): { readonly progress: RefreshProgress; readonly savedAtMs: number } | null;
  save(progress: RefreshProgress): void;
}

/** How often the progress is saved during a download, as a heartbeat for other processes. */
const saveEveryMs = 5_000;
/** A running refresh without a heartbeat for this long ended with its process. */
const lostAfterMs = 60_000;

/** Follows this process's refresh and shares its progress; while none runs here, `current` is another process's. */
function followProgress(shared: SharedProgress, now: () => number) {
  /** The progress of this process's own refresh. */
  let own: RefreshProgress = never;
  let savedAtMs = 0;
  const update = (change: Partial<RefreshProgress>): void => {
    own = { ...own, ...change };
    shared.save(own);
    savedAtMs = now();
  };
  const current = (): RefreshProgress => {
    if (isRunning(own)) return own;
    const saved = shared.read();
    if (saved === null) return own;
    const isCurrent = !isRunning(saved.progress) || now() - saved.savedAtMs < lostAfterMs;
    return isCurrent ? saved.progress : { ...saved.progress, endedAtMs: saved.savedAtMs, current: null, error: lost };
  };
  const hooks: RefreshHooks = {
    onStart: (source) => update({ current: { source, receivedBytes: 0, totalBytes: null } }),
    onProgress(source, receivedBytes, totalBytes) {
      const download = { source, receivedBytes, totalBytes };
      if (now() - savedAtMs >= saveEveryMs) update({ current: download });
      else own = { ...own, current: download };
    },
    onResult(result) {
      // A source that is rolled back later reports a second result.
      const others = own.results.filter(({ source }) => source !== result.source);
      update({ current: null, results: [...others, result] });
    },
  };
  return { current, update, hooks };
}

/** `now` is the wall clock. */
export function createListRefresh(work: RefreshWork, shared: SharedProgress, now: () => number): ListRefresh {
  const { current, update, hooks } = followProgress(shared, now);
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
    progress: current,
    async start(only, by) {
      if (work.refusal !== null) return work.refusal;
      const sources = work.sources();
      const unknown = only?.find((name) => !sources.some((source) => source.name === name));
      if (unknown !== undefined) return `Unknown source "${unknown}".`;
      if (isRunning(current())) return null;
      await work.record(only, by);
      // Another request may have started one meanwhile.
      if (isRunning(current())) return null;
      const total = sources.filter(({ name, enabled }) => only?.includes(name) ?? enabled).length;
      update({ ...never, startedAtMs: now(), total });
      run(only);
      return null;
    },
  };
}

const lost = 'The process that refreshed the lists ended before it finished.';

const isRunning = ({ startedAtMs, endedAtMs }: RefreshProgress): boolean => startedAtMs !== null && endedAtMs === null;
