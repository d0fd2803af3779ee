import { hostname } from 'node:os';
import { createWorkLeases } from '../../db/work-leases.ts';
import type { Following, Shared } from '../../feature.ts';
import { snapshotFile } from '../../files/compiled-files.ts';
import type { Job } from '../../platform/jobs.ts';
import { ulid } from '../../ulid.ts';
import { version } from '../../version.ts';
import type { Lists } from '../lists.ts';
import type { RefreshOrder } from '../refresh/refresh-run.ts';
import { runInProcess } from '../refresh/refresh-timer.ts';
import type { ListLog, SharedSnapshots } from '../snapshot/kept-snapshot.ts';
import { distributedFiles } from './distributed-file.ts';
import { createListUsersStore, type ListUser } from './list-users-store.ts';
import { createSharedFilesStore, sharedFilesTopic } from './shared-files-store.ts';
import { createSharedSnapshots } from './shared-snapshots.ts';
import { syncFiles } from './sync-files.ts';

/** A sync takes seconds; a process that takes longer than this has died. */
const syncLeaseMs = 120_000;
/** A dead process blocks the refresh for this long. */
const refreshLeaseMs = 60_000;
const renewMs = 20_000;

/** Distributes list files and snapshots among the instances that use one database. */
export interface ListDistribution {
  readonly sharedSnapshots: SharedSnapshots;
  readonly follows: readonly Following[];
  readonly jobs: readonly Job[];
  /** Downloads newer files of other instances, before the lists are opened. */
  prepare(): Promise<void>;
  /** The job syncs these lists from now on. */
  begin(lists: Lists): void;
  /** Runs a refresh unless another instance runs one, whose files this instance downloads afterwards. */
  refresh: typeof runInProcess;
  /** The processes that use the database and their lists, last seen first. */
  users(): Promise<ListUser[]>;
  close(): Promise<void>;
}

/** Null on the embedded database: its processes use the same files anyway. */
export function createListDistribution(shared: Shared): ListDistribution | null {
  const { config, db, log, now, monotonicMs } = shared;
  if (db.engine === 'sqlite') return null;
  const self = ulid(now());
  const leases = createWorkLeases(db, self, monotonicMs);
  const store = createSharedFilesStore(db);
  const sharedSnapshots = createSharedSnapshots(store, leases, now);
  const users = createListUsersStore(db);
  // Processes on one machine may use the same data directory: one of them syncs it.
  const lease = `share ${hostname()} ${config.dataDir}`;
  let lists: Lists | null = null;
  let syncing: Promise<void> | null = null;

  const sync = async (reload: () => Promise<unknown>, isSnapshotCurrent: () => boolean): Promise<void> => {
    const uploadSnapshot = async (): Promise<void> => {
      if (lists !== null) await sharedSnapshots.put(lists.status().fingerprint, snapshotFile(config.dataDir));
    };
    const files = () => distributedFiles(config.dataDir, config.rdapBootstrapUrl);
    await leases.hold(lease, syncLeaseMs, () =>
      syncFiles({ store, files, reload, isSnapshotCurrent, uploadSnapshot, log, now }),
    );
  };
  const syncNow = (): Promise<void> => {
    if (lists === null) return Promise.resolve();
    syncing ??= sync(lists.reload, lists.isSnapshotCurrent).finally(() => {
      syncing = null;
    });
    return syncing;
  };
  const round = async (): Promise<void> => {
    await syncNow();
    if (lists === null) return;
    const { fingerprint, builtAt } = lists.status();
    await users.note(self, { host: hostname(), version, fingerprint, builtAt });
  };
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'lists: could not sync files with the other instances; retrying');
  const changed = (): void => void round().catch(failed);
  return {
    sharedSnapshots,
    follows: [{ topic: sharedFilesTopic, changed, changedAll: changed }],
    jobs: [
      {
        name: 'sync-lists',
        // Other instances announce their files; this finds files of this machine, and notes that the process is alive.
        everyMs: 30_000,
        firstMs: 0,
        failure: 'lists: could not sync files with the other instances',
        run: round,
      },
    ],
    prepare: () =>
      sync(
        async () => {},
        () => false,
      ).catch(failed),
    begin(opened) {
      lists = opened;
    },
    users: users.list,
    async refresh(order: RefreshOrder, listLog: ListLog, signal: AbortSignal, hooks) {
      let refreshed: Awaited<ReturnType<typeof runInProcess>> = [];
      const work = async (renew: () => Promise<void>): Promise<void> => {
        const renewals = setInterval(() => void renew().catch(failed), renewMs);
        try {
          // Files that another instance downloaded an hour ago are not downloaded again.
          await syncNow();
          refreshed = await runInProcess(order, listLog, signal, hooks);
        } finally {
          clearInterval(renewals);
          // Before the lease is released: the next process need not download them again.
          await syncNow();
        }
      };
      await leases.hold('refresh', refreshLeaseMs, work);
      return refreshed;
    },
    async close() {
      await syncing?.catch(failed);
      await users.leave(self).catch(failed);
    },
  };
}
