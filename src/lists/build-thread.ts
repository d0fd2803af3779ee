import { parentPort, workerData } from 'node:worker_threads';
import { build } from './build.ts';

// The whole thread: one order in, one build out, its bytes handed over without a copy.
const done = build(workerData);
parentPort?.postMessage(done, [done.bytes.buffer as ArrayBuffer]);
