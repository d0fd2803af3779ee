import { Gauge, Histogram, type Metric } from 'prom-client';
import type { Db, StorageSizes } from './db.ts';
import { lastBackupAtMs } from './last-backup.ts';

/** The state of the storage; only `up` while it is unavailable. */
interface Look {
  readonly up: 0 | 1;
  readonly pingSeconds?: number;
  readonly sizes?: StorageSizes;
  readonly backupAtMs?: number | null;
}

/** Whether the storage answers, how fast, how large it is, and when it was last backed up. One look serves a whole scrape. */
export function storageMetrics(db: Db): Metric[] {
  let inProgress: Promise<Look> | null = null;
  const look = (): Promise<Look> => {
    inProgress ??= lookAtStorage(db).finally(() => {
      inProgress = null;
    });
    return inProgress;
  };
  /** An unknown value is absent rather than 0. */
  const gauge = (name: string, help: string, read: (look: Look) => number | null | undefined): Metric =>
    new Gauge({
      name: `signalpost_${name}`,
      help,
      registers: [],
      async collect() {
        const value = read(await look());
        if (value === null || value === undefined) this.remove();
        else this.set(value);
      },
    });
  return [
    gauge('storage_up', 'Whether the storage answered a small query (1) or not (0)', ({ up }) => up),
    gauge(
      'storage_ping_seconds',
      'Duration of a small query, measured with the scrape',
      ({ pingSeconds }) => pingSeconds,
    ),
    gauge(
      'database_bytes',
      'Size of the database on disk, without its write-ahead log',
      ({ sizes }) => sizes?.databaseBytes,
    ),
    gauge('database_log_bytes', 'Size of the write-ahead log (SQLite only)', ({ sizes }) => sizes?.logBytes),
    gauge('database_free_bytes', 'Free space inside the database file (SQLite only)', ({ sizes }) => sizes?.freeBytes),
    gauge(
      'last_backup_timestamp_seconds',
      'When `signalpost backup` last made a copy, in seconds since 1970; 0 for never (SQLite only)',
      ({ backupAtMs }) => (backupAtMs === undefined || db.engine === 'postgres' ? null : (backupAtMs ?? 0) / 1000),
    ),
  ];
}

/** Reads the state of the storage once. */
export async function lookAtStorage(db: Db): Promise<Look> {
  const beganMs = performance.now();
  try {
    await db.ping();
    const pingSeconds = (performance.now() - beganMs) / 1000;
    const [sizes, backupAtMs] = await Promise.all([db.sizes(), lastBackupAtMs(db)]);
    return { up: 1, pingSeconds, sizes, backupAtMs };
  } catch {
    // The metric shows that; the code that needs the storage reports the reason.
    return { up: 0 };
  }
}

/** The same storage, and how long its transactions take, waiting for their turn included. */
export function measureTransactions(db: Db): { readonly db: Db; readonly metric: Metric } {
  const metric = new Histogram({
    name: 'signalpost_storage_transaction_seconds',
    help: 'Duration of transactions, waiting for the writer and the commit included, failed ones too',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers: [],
  });
  const measured =
    (transaction: Db['transaction']): Db['transaction'] =>
    async (work) => {
      const end = metric.startTimer();
      try {
        return await transaction(work);
      } finally {
        end();
      }
    };
  const background = { ...db.background, transaction: measured(db.background.transaction) };
  return { db: { ...db, transaction: measured(db.transaction), background }, metric };
}
