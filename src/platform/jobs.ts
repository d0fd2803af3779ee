/** Periodic work that a feature declares and the scheduler runs. */
export interface Job {
  /** Names the job in metrics, logs and `signalpost doctor`: lower-case words with hyphens. */
  readonly name: string;
  /** The pause between the end of one run and the start of the next. */
  readonly everyMs: number;
  /** The delay before the first run; `everyMs` unless given. */
  readonly firstMs?: number;
  /** `signal` aborts when the process stops. */
  run(signal: AbortSignal): Promise<void>;
  /** Logged when a run fails: its effect. Null for a job whose failures are logged elsewhere. */
  readonly failure: string | null;
  /**
   * One of the processes that share a database runs the job: the holder of the lease of this name, which each run extends by
   * `forMs`. Longer than `everyMs`; another process takes over this long after the holder died.
   */
  readonly lease?: { readonly forMs: number };
}

/** What the scheduler knows about a job since the process started. */
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
  onRun(job: Job, durationMs: number): void;
  onFailure(job: Job, error: unknown): void;
}

/** Runs jobs, each one run at a time, until they are stopped. */
export interface Scheduler {
  start(jobs: readonly Job[]): void;
  /** Starts no further run of these jobs and aborts those in progress; resolves when they have ended. */
  stop(jobs: readonly Job[]): Promise<void>;
  status(): JobStatus[];
}

type MutableStatus = { -readonly [K in keyof JobStatus]: JobStatus[K] };

interface Scheduled {
  readonly status: MutableStatus;
  readonly ended: AbortController;
  holdsLease: boolean;
  timer: NodeJS.Timeout | undefined;
  run: Promise<void>;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { now, monotonicMs, leases, onRun, onFailure } = options;
  const scheduled = new Map<string, Scheduled>();

  /** A job without a lease, or in the only process of its database, always runs here. */
  const acquireLease = async ({ name, lease }: Job): Promise<boolean> =>
    lease === undefined || leases === undefined || (await leases.acquire(name, lease.forMs));
  const releaseLease = async ({ name, lease }: Job, state: Scheduled): Promise<void> => {
    if (lease === undefined || leases === undefined || !state.holdsLease) return;
    // The lease expires by itself when storage is unavailable.
    await leases.release(name).catch(() => {});
  };
  const runOnce = async (job: Job, state: Scheduled): Promise<void> => {
    const { status, ended } = state;
    const startedMs = monotonicMs();
    try {
      state.holdsLease = await acquireLease(job);
      status.runsElsewhere = !state.holdsLease;
      if (status.runsElsewhere) return;
      await job.run(ended.signal);
      status.lastSuccessAtMs = now();
      status.failuresInARow = 0;
      status.lastError = null;
    } catch (error) {
      // A run that was aborted by the stop is not a failure.
      if (ended.signal.aborted) return;
      status.failures += 1;
      status.failuresInARow += 1;
      status.lastError = error instanceof Error ? error.message : String(error);
      onFailure(job, error);
    }
    status.runs += 1;
    status.lastDurationMs = monotonicMs() - startedMs;
    onRun(job, status.lastDurationMs);
  };
  const schedule = (job: Job, state: Scheduled, afterMs: number): void => {
    state.timer = setTimeout(() => {
      state.run = runOnce(job, state).then(() => {
        if (!state.ended.signal.aborted) schedule(job, state, job.everyMs);
      });
    }, afterMs).unref();
  };
  return {
    start(jobs) {
      for (const job of jobs) {
        if (scheduled.has(job.name)) throw new Error(`Two jobs are named ${job.name}.`);
        const state: Scheduled = {
          status: newStatus(job, now()),
          ended: new AbortController(),
          holdsLease: false,
          timer: undefined,
          run: Promise.resolve(),
        };
        scheduled.set(job.name, state);
        schedule(job, state, job.firstMs ?? job.everyMs);
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
    status: () => Array.from(scheduled.values(), ({ status }) => ({ ...status })),
  };
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
