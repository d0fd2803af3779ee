// Preloaded into every process that runs a file of tests (scripts/test.ts).
import { isMainThread } from 'node:worker_threads';

/** The longest file takes three minutes on two cores, and twice that on a busy machine. Node ends a test that takes too long, but not a file that never ends. */
const longestMs = 20 * 60_000;

/** A test that fails may leave something behind that keeps its process: that must not hide the failure. */
if (process.env.NODE_TEST_CONTEXT !== undefined && isMainThread) {
  setTimeout(() => {
    const kept = [...new Set(process.getActiveResourcesInfo())].join(', ');
    console.error(`${process.argv[1]} was ended after ${longestMs / 60_000} minutes. What kept it: ${kept}.`);
    process.exit(1);
  }, longestMs).unref();
}
