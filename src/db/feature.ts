import type { Feature, Shared } from '../feature.ts';
import { counterBy } from '../platform/metric-kinds.ts';
import { ulid } from '../ulid.ts';
import type { CheckedTable } from './damaged-blocks.ts';
import { damageText } from './damaged-blocks.ts';
import type { Db } from './db.ts';
import { createSecretKeys } from './secret-keys.ts';
import { measureTransactions, storageMetrics } from './storage-metrics.ts';
import { createWorkLeases } from './work-leases.ts';

const noneDamaged: Readonly<Record<CheckedTable, number>> = {
  decision_segments: 0,
  seen_blocks: 0,
  traffic_blocks: 0,
  traffic_hours: 0,
  wave_members: 0,
};

/** The storage, maintained and measured. */
export interface StorageFeature extends Feature {
  /** For the other features. */
  readonly db: Db;
  /** Whether an instance with another `SECRET_KEY` uses the database. */
  secretKeysDiffer(): boolean;
}

/** Maintains the storage itself. */
export function createStorageFeature(shared: Shared): StorageFeature {
  const { db } = shared;
  const measured = measureTransactions(db);
  db.damagedBlocks.report((block) => shared.log.error(block, damageText(block)));
  // The processes of an embedded database belong to one instance.
  const secretKeys = db.engine === 'sqlite' ? null : compareSecretKeys(shared);
  return {
    db: measured.db,
    secretKeysDiffer: () => secretKeys?.differ() ?? false,
    metrics: [
      ...storageMetrics(db),
      measured.metric,
      counterBy('table', 'damaged_blocks_total', 'Blocks that were skipped because their bytes have changed', () => ({
        ...noneDamaged,
        ...db.damagedBlocks.counts(),
      })),
    ],
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
      ...(secretKeys?.jobs ?? []),
    ],
    close: async () => await secretKeys?.close(),
  };
}

function compareSecretKeys({ db, log, now, monotonicMs }: Shared) {
  const secretKeys = createSecretKeys(db, createWorkLeases(db, ulid(now()), monotonicMs));
  let differ = false;
  return {
    differ: () => differ,
    jobs: [
      {
        name: 'compare-secret-keys',
        everyMs: 15_000,
        firstMs: 0,
        failure: 'could not compare the SECRET_KEY of the instances; the next attempt is in 15 seconds',
        async run() {
          const before = differ;
          differ = await secretKeys.differ();
          if (!differ || before) return;
          log.error(
            'another instance uses this database with a different SECRET_KEY, so each cannot deliver to webhooks that the other saved; set one SECRET_KEY on every instance and restart it',
          );
        },
      },
    ],
    // The lease expires by itself when storage is unavailable.
    close: () => secretKeys.release().catch(() => {}),
  };
}
