import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Following, Shared } from '../../app/feature.ts';
import { createWorkLeases } from '../../db/work-leases.ts';
import { repeat } from '../../platform/repeat.ts';
import { ulid } from '../../ulid.ts';
import { version } from '../../version.ts';
import type { Lists } from '../lists.ts';
import type { RefreshOrder } from '../refresh/refresh-run.ts';
import { runInProcess } from '../refresh/refresh-timer.ts';
import type { ListLog, SnapshotShelf } from '../snapshot/kept-snapshot.ts';
import { createListUsersStore, type ListUser } from './list-users-store.ts';
import { shareFiles } from './share-files.ts';
import { shareables } from './shareable.ts';
import { createSharedFilesStore, sharedFilesTopic } from './shared-files-store.ts';
import { createSnapshotShelf } from './snapshot-shelf.ts';

/** How often a process tells which lists it uses, and looks for files that a command changed. */
const roundMs = 5_000;
/** Sharing takes seconds; a process that takes longer than this has died. */
const shareMs = 120_000;
/** A dead process blocks the refresh for so long. */
const refreshMs = 60_000;
const renewMs = 20_000;

/** What the instances of one database do together about their lists. */
export interface SharedLists {
  readonly shelf: SnapshotShelf;
  readonly follows: readonly Following[];
  /** Fetches what others have, before the lists are opened. */
  prepare(): Promise<void>;
  /** Begins to share, once there are lists. */
  begin(lists: Lists): void;
  /** Runs a refresh unless another instance does; what that one gets comes here. */
  refresh: typeof runInProcess;
  /** The processes that use the database and their lists, last seen first. */
  users(): Promise<ListUser[]>;
  close(): Promise<void>;
}

/** Null on the embedded database: whoever uses that shares the files, too. */
export function createSharedLists(shared: Shared): SharedLists | null {
  const { config, db, log, now, monotonicMs } = shared;
  if (db.engine === 'sqlite') return null;
  const self = ulid(now());
  const leases = createWorkLeases(db, self, monotonicMs);
  const store = createSharedFilesStore(db);
  const shelf = createSnapshotShelf(store, leases, now);
  const users = createListUsersStore(db);
  // Processes of one machine may share the data directory: one of them is enough.
  const lease = `share ${hostname()} ${config.dataDir}`;
  let rounds: { stop(): Promise<void> } | null = null;
  let lists: Lists | null = null;
  let sharing: Promise<void> | null = null;

  const share = async (reload: () => Promise<unknown>, isSettled: () => boolean): Promise<void> => {
    const putSnapshot = async (): Promise<void> => {
      if (lists !== null) await shelf.put(lists.status().fingerprint, join(config.dataDir, 'lists', 'snapshot.bin'));
    };
    const files = () => shareables(config.dataDir, config.rdapBootstrapUrl);
    await leases.hold(lease, shareMs, () => shareFiles({ store, files, reload, isSettled, putSnapshot, log, now }));
  };
  const shareNow = (): Promise<void> => {
    if (lists === null) return Promise.resolve();
    sharing ??= share(lists.reload, lists.isSettled).finally(() => {
      sharing = null;
    });
    return sharing;
  };
  const round = async (): Promise<void> => {
    await shareNow();
    if (lists === null) return;
    const { fingerprint, builtAt } = lists.status();
    await users.note(self, { host: hostname(), version, fingerprint, builtAt });
  };
  const failed = (error: unknown) => log.warn({ err: error }, 'lists: not shared with the other instances yet');
  const changed = (): void => void round().catch(failed);
  return {
    shelf,
    follows: [{ topic: sharedFilesTopic, changed, changedAll: changed }],
    prepare: () =>
      share(
        async () => {},
        () => false,
      ).catch(failed),
    begin(opened) {
      lists = opened;
      rounds = repeat(roundMs, round, failed, 0);
    },
    users: users.list,
    async refresh(order: RefreshOrder, listLog: ListLog, signal: AbortSignal, hooks) {
      let refreshed: Awaited<ReturnType<typeof runInProcess>> = [];
      const work = async (renew: () => Promise<void>): Promise<void> => {
        const renewals = repeat(renewMs, renew, failed);
        try {
          // Files that another instance downloaded an hour ago are not downloaded again.
          await shareNow();
          refreshed = await runInProcess(order, listLog, signal, hooks);
        } finally {
          await renewals.stop();
          // Before the lease is released: the next process need not download them again.
          await shareNow();
        }
      };
      await leases.hold('refresh', refreshMs, work);
      return refreshed;
    },
    async close() {
      await rounds?.stop();
      await sharing?.catch(failed);
      await users.leave(self).catch(failed);
    },
  };
}
