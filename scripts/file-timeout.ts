// Preloaded into every process that runs a test file (scripts/test.ts).
import { isMainThread } from 'node:worker_threads';

/** Node stops a test that takes too long, but not a process that a leftover handle keeps alive after its tests. */
const fileTimeoutMs = 20 * 60_000;

if (process.env.NODE_TEST_CONTEXT !== undefined && isMainThread) {
  setTimeout(() => {
    const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
    console.error(`${process.argv[1]} was stopped after ${fileTimeoutMs / 60_000} minutes. Open resources: ${open}.`);
    process.exit(1);
  }, fileTimeoutMs).unref();
}
