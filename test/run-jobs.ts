import { fail } from 'node:assert/strict';
import { createScheduler, type Job } from '../src/platform/jobs.ts';

/** Runs jobs as the service does; a failing job fails the test unless the test allows it. */
export function runJobs(jobs: readonly Job[], { mayFail = false } = {}): { stop(): Promise<void> } {
  const scheduler = createScheduler({
    now: Date.now,
    monotonicMs: () => performance.now(),
    onRun() {},
    onFailure: ({ name }, error) => {
      if (!mayFail) fail(`${name}: ${String(error)}`);
    },
  });
  scheduler.start(jobs);
  return { stop: () => scheduler.stop(jobs) };
}
