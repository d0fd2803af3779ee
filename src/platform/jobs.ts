/** Periodic work that a feature declares and the scheduler runs. */
export interface Job {
  /** Names the job in metrics, logs and `signalpost doctor`: lower-case words with hyphens. */
  readonly name: string;
  /** The pause between the end of one run and the start of the next. */
  readonly everyMs: number;
  /** The delay before the first run; unless given, `everyMs`, but within the first minute: a process may not run for long. */
  readonly firstMs?: number;
  /** The pause after a run that had nothing to do, or that another process does; `everyMs` unless given. */
  readonly idleMs?: number;
  /** An announced change of this topic starts a run, no sooner than `restMs` after the previous one. */
  readonly wakesOn?: { readonly topic: string; readonly restMs: number };
  /** `signal` aborts when the process stops. Resolves to `idle` when there was nothing to do. */
  run(signal: AbortSignal): Promise<unknown>;
  /** Logged when a run fails: its effect. Null for a job whose failures are logged elsewhere. */
  readonly failure: string | null;
  /**
   * One of the processes that share a database runs the job: the holder of the lease of this name, which each run extends by
   * `forMs`. Longer than `everyMs`; another process takes over this long after the holder died.
   */
  readonly lease?: { readonly forMs: number };
}

/** The result of a run that had nothing to do. */
export const idle: unique symbol = Symbol('idle');

/** A job's runs in this process since it started. */
export interface JobStatus {
  readonly name: string;
  readonly everyMs: number;
  readonly runs: number;
  readonly failures: number;
  /** Runs that failed since the last success. */
  readonly failuresInARow: number;
  readonly startedAtMs: number;
  readonly lastSuccessAtMs: number | null;
  readonly lastDurationMs: number | null;
  readonly lastError: string | null;
  /** Another process held the lease when the last run was due. */
  readonly runsElsewhere: boolean;
}

/** Acquires and releases work leases; a process that shares no database holds every lease. */
export interface JobLeases {
  acquire(name: string, forMs: number): Promise<boolean>;
  release(name: string): Promise<void>;
}

export interface SchedulerOptions {
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly leases?: JobLeases;
  /** Shortens every pause, so that a test of several jobs need not wait for them. */
  readonly maxPauseMs?: number;
  onRun(job: Job, durationMs: number): void;
  onFailure(job: Job, error: unknown): void;
}

/** Runs jobs, each one run at a time, until they are stopped. */
export interface Scheduler {
  start(jobs: readonly Job[]): void;
  /** Starts no further run of these jobs and aborts those in progress; resolves when they have ended. */
  stop(jobs: readonly Job[]): Promise<void>;
  /** Starts the jobs that wait for changes of a topic. */
  wake(topic: string): void;
  status(): JobStatus[];
}

type MutableStatus = { -readonly [K in keyof JobStatus]: JobStatus[K] };

interface Scheduled {
  readonly job: Job;
  readonly status: MutableStatus;
  readonly ended: AbortController;
  holdsLease: boolean;
  timer: NodeJS.Timeout | undefined;
  run: Promise<void>;
  isRunning: boolean;
  /** A change was announced during the run. */
  isWoken: boolean;
  endedAtMs: number;
}

/** Jobs without a first delay of their own start from here on, a second apart. */
const firstRunMs = 20_000;
const maxFirstRunMs = 60_000;

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { now, monotonicMs, leases, maxPauseMs = Number.POSITIVE_INFINITY, onRun, onFailure } = options;
  const scheduled = new Map<string, Scheduled>();

  /** A job without a lease, or in the only process of its database, always runs here. */
  const acquireLease = async ({ name, lease }: Job): Promise<boolean> =>
    lease === undefined || leases === undefined || (await leases.acquire(name, lease.forMs));
  const releaseLease = async ({ name, lease }: Job, state: Scheduled): Promise<void> => {
    if (lease === undefined || leases === undefined || !state.holdsLease) return;
    // The lease expires by itself when storage is unavailable.
    await leases.release(name).catch(() => {});
  };
  /** Returns whether there was nothing to do here. */
  const runOnce = async (job: Job, state: Scheduled): Promise<boolean> => {
    const { status, ended } = state;
    const startedMs = monotonicMs();
    let isIdle = false;
    try {
      state.holdsLease = await acquireLease(job);
      status.runsElsewhere = !state.holdsLease;
      if (status.runsElsewhere) return true;
      isIdle = (await job.run(ended.signal)) === idle;
      status.lastSuccessAtMs = now();
      status.failuresInARow = 0;
      status.lastError = null;
    } catch (error) {
      // A run that was aborted by the stop is not a failure.
      if (ended.signal.aborted) return false;
      status.failures += 1;
      status.failuresInARow += 1;
      status.lastError = error instanceof Error ? error.message : String(error);
      onFailure(job, error);
    }
    status.runs += 1;
    status.lastDurationMs = monotonicMs() - startedMs;
    onRun(job, status.lastDurationMs);
    return isIdle;
  };
  const schedule = (job: Job, state: Scheduled, afterMs: number): void => {
    state.timer = setTimeout(
      () => {
        state.isRunning = true;
        state.isWoken = false;
        state.run = runOnce(job, state).then((isIdle) => {
          state.isRunning = false;
          state.endedAtMs = monotonicMs();
          if (!state.ended.signal.aborted) schedule(job, state, pauseAfter(job, state, isIdle));
        });
      },
      Math.min(afterMs, maxPauseMs),
    ).unref();
  };
  return {
    start(jobs) {
      for (const job of jobs) {
        if (scheduled.has(job.name)) throw new Error(`Two jobs are named ${job.name}.`);
        checkLease(job);
        const state: Scheduled = {
          job,
          status: newStatus(job, now()),
          ended: new AbortController(),
          holdsLease: false,
          timer: undefined,
          run: Promise.resolve(),
          isRunning: false,
          isWoken: false,
          endedAtMs: Number.NEGATIVE_INFINITY,
        };
        scheduled.set(job.name, state);
        const soonMs = Math.min(firstRunMs + 1_000 * scheduled.size, maxFirstRunMs);
        schedule(job, state, job.firstMs ?? Math.min(job.everyMs, soonMs));
      }
    },
    async stop(jobs) {
      await Promise.all(
        jobs.map(async (job) => {
          const state = scheduled.get(job.name);
          if (state === undefined) return;
          state.ended.abort();
          clearTimeout(state.timer);
          await state.run;
          await releaseLease(job, state);
        }),
      );
    },
    wake(topic) {
      for (const state of scheduled.values()) {
        const { job, ended, isRunning, endedAtMs } = state;
        if (job.wakesOn?.topic !== topic || ended.signal.aborted) continue;
        state.isWoken = true;
        if (isRunning) continue;
        clearTimeout(state.timer);
        schedule(job, state, Math.max(0, job.wakesOn.restMs - (monotonicMs() - endedAtMs)));
      }
    },
    status: () => Array.from(scheduled.values(), ({ status }) => ({ ...status })),
  };
}

function pauseAfter({ everyMs, idleMs = everyMs, wakesOn }: Job, { isWoken }: Scheduled, isIdle: boolean): number {
  if (isWoken) return wakesOn?.restMs ?? everyMs;
  return isIdle ? idleMs : everyMs;
}

/** A lease that ends before the next run does not keep other processes from running the job. */
function checkLease({ name, everyMs, idleMs = everyMs, lease }: Job): void {
  if (lease !== undefined && lease.forMs <= Math.max(everyMs, idleMs))
    throw new Error(`The lease of the job ${name} must be longer than the pause between its runs.`);
}

function newStatus({ name, everyMs }: Job, startedAtMs: number): MutableStatus {
  return {
    name,
    everyMs,
    runs: 0,
    failures: 0,
    failuresInARow: 0,
    startedAtMs,
    lastSuccessAtMs: null,
    lastDurationMs: null,
    lastError: null,
    runsElsewhere: false,
  };
}
