import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkLeases } from '../../db/work-leases.ts';
import type { SharedSnapshots } from '../snapshot/kept-snapshot.ts';
import { downloadFile, uploadFile } from './file-transfer.ts';
import type { SharedFilesStore } from './shared-files-store.ts';

/** A snapshot's name ends with the fingerprint of its inputs. */
export const snapshotPrefix = 'snapshot ';
/** Enough for two releases at the same time, before and after a refresh. */
const keptSnapshots = 4;
/** A build takes seconds; a process that takes longer than this has died. */
const buildLeaseMs = 60_000;
const pollMs = 200;

/** Lets one instance build each snapshot, and the others download it. */
export function createSharedSnapshots(
  store: SharedFilesStore,
  leases: Pick<WorkLeases, 'acquire' | 'release'>,
  now: () => number,
): SharedSnapshots {
  return {
    async fetch(fingerprint, path) {
      const name = snapshotPrefix + fingerprint;
      for (;;) {
        const file = await store.find(name);
        if (file !== null) {
          await downloadFile(store, file, path);
          return true;
        }
        if (await leases.acquire(name, buildLeaseMs)) return false;
        await sleep(pollMs);
      }
    },
    async put(fingerprint, path) {
      const name = snapshotPrefix + fingerprint;
      if ((await store.find(name)) !== null) return;
      const { size, mtimeMs } = statSync(path);
      await uploadFile(store, path, { name, size, modifiedAtMs: Math.round(mtimeMs), state: null }, now);
      await store.prune(snapshotPrefix, keptSnapshots, now());
      await leases.release(name);
    },
  };
}
