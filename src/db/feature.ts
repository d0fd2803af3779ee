import type { Feature, Shared } from '../app/feature.ts';
import type { Db } from './db.ts';
import { measureTransactions, storageMetrics } from './storage-metrics.ts';

/** The storage, maintained and measured. */
export interface StorageFeature extends Feature {
  /** For the other features. */
  readonly db: Db;
}

/** Maintains the storage itself. */
export function createStorageFeature({ db }: Shared): StorageFeature {
  const measured = measureTransactions(db);
  return {
    db: measured.db,
    metrics: [...storageMetrics(db), measured.metric],
    jobs: [
      {
        name: 'return-free-space',
        everyMs: 60_000,
        // Soon after retention jobs have removed old data.
        firstMs: 5_000,
        failure: 'free space of the database could not be returned to the disk',
        run: (signal) => db.vacuum(signal),
      },
      {
        name: 'sync-storage',
        everyMs: 500,
        failure: 'background writes are not on disk yet',
        run: () => db.fsync(),
      },
    ],
  };
}
