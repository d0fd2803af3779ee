import type { Db } from '../db/db.ts';
import { repeat } from '../platform/repeat.ts';
import type { Feature, Shared } from './feature.ts';
import { measureTransactions, storageMetrics } from './storage-metrics.ts';

/** How often free space is given back to the disk; the first time after old data was removed. */
const giveBackMs = 60_000;
const firstGiveBackMs = 5_000;
/** How long what was written in the background may not be on the disk. */
const settleMs = 500;

/** The storage, looked after and measured. */
export interface StorageFeature extends Feature {
  /** For the other features. */
  readonly db: Db;
}

/** Looks after the storage itself. */
export function createStorageFeature({ db, log }: Shared): StorageFeature {
  const measured = measureTransactions(db);
  const ended = new AbortController();
  const upkeep = repeat(
    giveBackMs,
    () => db.giveBackSpace(ended.signal),
    (error) => log.warn({ err: error }, 'free space of the database is not given back yet'),
    firstGiveBackMs,
  );
  const settling = repeat(
    settleMs,
    () => db.settle(),
    (error) => log.warn({ err: error }, 'what was written last is not on the disk yet'),
  );
  return {
    db: measured.db,
    endpoints: [],
    follows: [],
    metrics: [...storageMetrics(db), measured.metric],
    async close() {
      ended.abort();
      await Promise.all([upkeep.stop(), settling.stop()]);
    },
  };
}
