import { type ChangePoll, createChangePoll } from '../db/changes.ts';
import { createWorkLeases } from '../db/work-leases.ts';
import type { Feature, Following, Shared } from '../feature.ts';
import { createScheduler, type Job, type JobStatus, type Scheduler, type SchedulerOptions } from '../platform/jobs.ts';
import type { WriteBehind } from '../platform/write-behind.ts';
import { ulid } from '../ulid.ts';
import { createJobMetrics, type JobMetrics } from './job-metrics.ts';

/** Every process sees a change within a second. */
const pollChangesMs = 500;
/** How often a job that keeps failing is logged. */
const logAgainMs = 60_000;

/** Features whose jobs run, whose buffers are flushed and whose caches follow the database. */
export interface RunningFeatures {
  readonly changes: Pick<ChangePoll, 'ready' | 'lastSuccessMs'>;
  readonly jobMetrics: JobMetrics;
  jobs(): JobStatus[];
  /** Ends features in reverse order, so that each ends before the ones it uses: jobs, then buffers, then the rest. */
  close(): Promise<void>;
}

/** Starts the jobs, buffers and followers of features. */
export function runFeatures(
  shared: Shared,
  features: readonly Feature[],
  limits: Pick<SchedulerOptions, 'maxPauseMs'> = {},
): RunningFeatures {
  const { config, db, now, monotonicMs } = shared;
  const isShared = db.engine === 'postgres' || config.workers !== 1;
  const scheduler = createScheduler({
    now,
    monotonicMs,
    ...limits,
    ...(isShared && { leases: createWorkLeases(db, ulid(now()), monotonicMs) }),
    onRun: (job, durationMs) => jobMetrics.observe(job, durationMs),
    onFailure: reportFailures(shared),
  });
  const jobMetrics = createJobMetrics(scheduler.status);
  const running = features.map((feature) => ({ feature, jobs: jobsOf(feature) }));
  for (const { jobs } of running) scheduler.start(jobs);
  const changes = followChanges(
    shared,
    features.flatMap(({ follows = [] }) => follows),
    scheduler,
  );
  const pollChanges: Job = {
    name: 'poll-changes',
    everyMs: pollChangesMs,
    firstMs: 0,
    failure: 'could not read what other processes changed; caches stay as they are until storage is available',
    run: changes.poll,
  };
  scheduler.start([pollChanges]);
  return {
    changes,
    jobMetrics,
    jobs: scheduler.status,
    async close() {
      await scheduler.stop([pollChanges]);
      for (const { feature, jobs } of running.toReversed()) {
        await scheduler.stop(jobs);
        for (const buffer of feature.buffers ?? []) await flushLast(buffer, shared);
        await feature.close?.();
      }
    },
  };
}

function jobsOf({ jobs = [], buffers = [] }: Feature): Job[] {
  return [...jobs, ...buffers.map(flushJob)];
}

function flushJob({ name, flushEveryMs, failure, flushWhenDue }: WriteBehind): Job {
  return { name: `flush-${name.replaceAll('_', '-')}`, everyMs: flushEveryMs, failure, run: flushWhenDue };
}

/** A job that runs every half second and fails for an hour is one log line a minute, not 7,200. */
function reportFailures({ log, monotonicMs }: Shared): SchedulerOptions['onFailure'] {
  const loggedAtMs = new Map<string, number>();
  return ({ name, failure }, error) => {
    if (failure === null) return;
    const atMs = monotonicMs();
    if (atMs - (loggedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) < logAgainMs) return;
    loggedAtMs.set(name, atMs);
    log.warn({ err: error, job: name }, failure);
  };
}

/** Storage that is unavailable must not keep the process from ending. */
async function flushLast(buffer: WriteBehind, { log }: Shared): Promise<void> {
  try {
    await buffer.flush();
  } catch (error) {
    log.error(
      { err: error, buffer: buffer.name, lost: buffer.pending() },
      'entries lost: storage is unavailable at the stop',
    );
  }
}

/** Notifies caches and waiting jobs about changes that any process made in the database. */
function followChanges(
  { db, monotonicMs }: Shared,
  followings: readonly Following[],
  { wake }: Pick<Scheduler, 'wake'>,
): ChangePoll {
  const changedAll = (): void => {
    for (const following of followings) following.changedAll();
  };
  const changed = (topic: string, scope: string): void => {
    for (const following of followings) if (following.topic === topic) following.changed(scope);
    wake(topic);
  };
  const poll = createChangePoll(db, monotonicMs, changed, changedAll);
  for (const following of followings) following.begin?.(poll.lastSuccessMs);
  // The first poll only learns the position: earlier reads may have missed a change.
  poll.ready.then(changedAll);
  return poll;
}
