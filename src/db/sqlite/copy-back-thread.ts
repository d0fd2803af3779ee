// A thread of its own: copies the write-ahead log of SQLite back into the file whenever it is told to.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../../error-message.ts';
import type { CopiedBack } from './log-keeper.ts';

const port = parentPort;
if (port === null) throw new Error('this module is run as a thread');
const database = new DatabaseSync(workerData as string);

port.on('message', (isLast: boolean) => {
  if (isLast) {
    database.close();
    port.close();
    return;
  }
  port.postMessage(copyBack());
});

/** As much as can be copied while others read and write. */
function copyBack(): CopiedBack {
  try {
    database.exec('pragma wal_checkpoint(passive)');
    return { problem: null };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
