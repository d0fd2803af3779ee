// Preloaded into every process that runs a test file (scripts/test.ts).
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';

/** Node stops a test that takes too long, but not a process that a leftover handle keeps alive after its tests. */
const fileTimeoutMs = 20 * 60_000;
const lookForParentMs = 1_000;

if (process.env.NODE_TEST_CONTEXT !== undefined && isMainThread) {
  setTimeout(() => {
    const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
    console.error(`${process.argv[1]} was stopped after ${fileTimeoutMs / 60_000} minutes. Open resources: ${open}.`);
    process.exit(1);
  }, fileTimeoutMs).unref();
  endWithRun();
  endChildrenWithProcess();
}

/** Ends this process when the run is aborted, however that happened: a killed runner cannot tell. */
function endWithRun(): void {
  const { ppid } = process;
  setInterval(() => process.ppid === ppid || process.exit(1), lookForParentMs).unref();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

/** Services and browsers that tests started would outlive an aborted run. */
function endChildrenWithProcess(): void {
  const children = new Set<ChildProcess>();
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess };
    children.add(child);
    child.once('exit', () => children.delete(child));
  });
  process.once('exit', () => {
    for (const child of children) {
      child.kill('SIGTERM');
      // Tests of faults pause processes.
      child.kill('SIGCONT');
    }
  });
}
