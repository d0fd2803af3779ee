import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkLeases } from '../../db/work-leases.ts';
import type { SnapshotShelf } from '../snapshot/kept-snapshot.ts';
import { fetchFile, putFile } from './file-parts.ts';
import type { SharedFilesStore } from './shared-files-store.ts';

/** Snapshots are found by the fingerprint of what they are made from. */
export const snapshotPrefix = 'snapshot ';
/** Enough for two releases side by side, before and after a refresh. */
const keptSnapshots = 4;
/** A build takes seconds; one that takes longer than this has died. */
const buildMs = 60_000;
const lookAgainMs = 200;

/** Snapshots that instances build for each other. */
export function createSnapshotShelf(
  store: SharedFilesStore,
  leases: Pick<WorkLeases, 'acquire' | 'release'>,
  now: () => number,
): SnapshotShelf {
  return {
    async fetch(fingerprint, path) {
      const name = snapshotPrefix + fingerprint;
      for (;;) {
        const file = await store.find(name);
        if (file !== null) {
          await fetchFile(store, file, path);
          return true;
        }
        if (await leases.acquire(name, buildMs)) return false;
        await sleep(lookAgainMs);
      }
    },
    async put(fingerprint, path) {
      const name = snapshotPrefix + fingerprint;
      if ((await store.find(name)) !== null) return;
      const { size, mtimeMs } = statSync(path);
      await putFile(store, path, { name, size, modifiedAtMs: Math.round(mtimeMs), state: null }, now);
      await store.prune(snapshotPrefix, keptSnapshots, now());
      await leases.release(name);
    },
  };
}
