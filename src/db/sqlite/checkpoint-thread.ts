// Runs as a thread: copies SQLite's write-ahead log into the database file on each message.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../../error-message.ts';
import type { CheckpointResult } from './wal-checkpoints.ts';

const port = parentPort;
if (port === null) throw new Error('this module is run as a thread');
const database = new DatabaseSync(workerData as string);

port.on('message', (isLast: boolean) => {
  if (isLast) {
    database.close();
    port.close();
    return;
  }
  port.postMessage(checkpoint());
});

/** Copies as many pages as it can while others read and write. */
function checkpoint(): CheckpointResult {
  try {
    database.exec('pragma wal_checkpoint(passive)');
    return { problem: null };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
