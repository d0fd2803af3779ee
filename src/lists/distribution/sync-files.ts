import type { RefreshState } from '../refresh/refresh-state.ts';
import type { ListLog } from '../snapshot/kept-snapshot.ts';
import type { DistributedFile } from './distributed-file.ts';
import { downloadFile, uploadFile } from './file-transfer.ts';
import type { SharedFile, SharedFilesStore } from './shared-files-store.ts';

export interface SyncOptions {
  readonly store: SharedFilesStore;
  readonly files: () => readonly DistributedFile[];
  /** Rebuilds the snapshot from changed inputs. */
  readonly reload: () => Promise<unknown>;
  /** Whether the snapshot in use was built from the current inputs; until then a refresh may still revert them. */
  readonly isSnapshotCurrent: () => boolean;
  /** Uploads the snapshot in use for the other instances. */
  readonly uploadSnapshot: () => Promise<void>;
  readonly log: ListLog;
  readonly now: () => number;
}

/** Downloads files that are newer in the database, and uploads files that are newer here. */
export async function syncFiles(options: SyncOptions): Promise<void> {
  const { store, log } = options;
  const shared = new Map((await store.list('lists/')).map((file) => [file.name, file]));
  const newer: DistributedFile[] = [];
  let isInputNew = false;
  for (const file of options.files()) {
    const there = shared.get(file.name);
    const verdict = compare(file, there);
    if (verdict === 'here') newer.push(file);
    if (there === undefined) continue;
    if (verdict === 'same') await exchangeState(file, there, options);
    if (verdict !== 'there') continue;
    try {
      await downloadFile(store, there, file.path);
      file.adopt(stateOf(there));
      isInputNew ||= file.inSnapshot;
      log.info({ file: file.name }, 'lists: downloaded an edition from another instance');
    } catch (error) {
      log.warn(
        { err: error, file: file.name },
        'lists: could not download an edition from another instance; the current file stays in use',
      );
    }
  }
  if (isInputNew) await options.reload();
  if (newer.length > 0) await publish(newer, options);
}

async function publish(files: readonly DistributedFile[], options: SyncOptions): Promise<void> {
  const { store, isSnapshotCurrent, log, now } = options;
  const isCurrent = isSnapshotCurrent();
  // Before its inputs: an instance that downloads these looks for the snapshot.
  if (isCurrent && files.some(({ inSnapshot }) => inSnapshot)) await options.uploadSnapshot();
  for (const file of files) {
    const local = file.local();
    if (local === null || (file.inSnapshot && !isCurrent)) continue;
    await uploadFile(store, file.path, { name: file.name, ...local, state: JSON.stringify(file.state()) }, now);
    log.info({ file: file.name }, 'lists: uploaded an edition for the other instances');
  }
}

/** Shares the time of the last request to a publisher, so that the other instances make none today. */
async function exchangeState(file: DistributedFile, there: SharedFile, { store, now }: SyncOptions): Promise<void> {
  const mine = file.state();
  const theirs = stateOf(there);
  if (theirs.checkedAtMs > mine.checkedAtMs) file.adopt(theirs);
  if (mine.checkedAtMs > theirs.checkedAtMs) await store.publish({ ...there, state: JSON.stringify(mine) }, now());
}

const stateOf = ({ state }: SharedFile): RefreshState => JSON.parse(state ?? 'null') as RefreshState;

/** Where the newer edition is. An operator's own file is neither uploaded nor replaced ('apart'). */
function compare(file: DistributedFile, shared: SharedFile | undefined): 'here' | 'there' | 'same' | 'apart' {
  const local = file.local();
  if (local === null) return shared === undefined ? 'apart' : 'there';
  if (!file.isOurs()) return 'apart';
  if (shared === undefined) return 'here';
  if (local.size === shared.size && local.modifiedAtMs === shared.modifiedAtMs) return 'same';
  return local.modifiedAtMs > shared.modifiedAtMs ? 'here' : 'there';
}
