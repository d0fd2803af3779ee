import { Histogram, type Metric } from 'prom-client';
import type { Job, JobStatus } from '../platform/jobs.ts';
import { counterBy, gaugeBy } from '../platform/metric-kinds.ts';

/** Durations, failures and the last success of every job. */
export interface JobMetrics {
  readonly metrics: readonly Metric[];
  observe(job: Job, durationMs: number): void;
}

export function createJobMetrics(status: () => readonly JobStatus[]): JobMetrics {
  const seconds = new Histogram({
    name: 'signalpost_job_seconds',
    help: 'Duration of background job runs, failed ones included',
    labelNames: ['name'],
    buckets: [0.001, 0.01, 0.1, 1, 10, 60, 600],
    registers: [],
  });
  const by = (read: (one: JobStatus) => number | null) =>
    Object.fromEntries(
      status().flatMap((one): [string, number][] => {
        const value = read(one);
        return value === null ? [] : [[one.name, value]];
      }),
    );
  return {
    metrics: [
      seconds,
      counterBy('name', 'job_failures_total', 'Background job runs that failed', () => by(({ failures }) => failures)),
      gaugeBy(
        'name',
        'job_last_success_timestamp_seconds',
        'When a background job last succeeded, or the process started if it has not yet; absent where another process runs it',
        () =>
          by(({ lastSuccessAtMs, startedAtMs, runsElsewhere }) =>
            runsElsewhere ? null : (lastSuccessAtMs ?? startedAtMs) / 1_000,
          ),
      ),
      gaugeBy('name', 'job_interval_seconds', 'The pause between two runs of a background job', () =>
        by(({ everyMs }) => everyMs / 1_000),
      ),
    ],
    observe: ({ name }, durationMs) => seconds.observe({ name }, durationMs / 1_000),
  };
}
