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
  /** Logged when a run fails: its effect. */
  readonly failure: string;
  /** Only the process that holds the work lease of this name runs the job; `forMs` bounds how long a dead holder blocks the others. */
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
  timer: NodeJS.Timeout | undefined;
  run: Promise<void>;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { now, monotonicMs, onRun, onFailure } = options;
  const scheduled = new Map<string, Scheduled>();

  const runOnce = async (job: Job, { status, ended }: Scheduled): Promise<void> => {
    const startedMs = monotonicMs();
    try {
      status.runsElsewhere = !(await runLeased(job, ended.signal, options.leases));
      if (status.runsElsewhere) return;
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
          timer: undefined,
          run: Promise.resolve(),
        };
        scheduled.set(job.name, state);
        schedule(job, state, job.firstMs ?? job.everyMs);
      }
    },
    async stop(jobs) {
      const states = jobs.flatMap(({ name }) => scheduled.get(name) ?? []);
      for (const { ended, timer } of states) {
        ended.abort();
        clearTimeout(timer);
      }
      await Promise.all(states.map(({ run }) => run));
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

/** Runs the job unless another process holds its lease; whether it ran. */
async function runLeased(job: Job, signal: AbortSignal, leases: JobLeases | undefined): Promise<boolean> {
  if (job.lease === undefined || leases === undefined) {
    await job.run(signal);
    return true;
  }
  if (!(await leases.acquire(job.name, job.lease.forMs))) return false;
  try {
    await job.run(signal);
  } finally {
    await leases.release(job.name);
  }
  return true;
}
