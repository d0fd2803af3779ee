import type { RefreshState } from '../refresh/refresh-state.ts';
import type { ListLog } from '../snapshot/kept-snapshot.ts';
import { fetchFile, putFile } from './file-parts.ts';
import type { Shareable } from './shareable.ts';
import type { SharedFile, SharedFilesStore } from './shared-files-store.ts';

/** What sharing needs. */
export interface ShareOptions {
  readonly store: SharedFilesStore;
  readonly files: () => readonly Shareable[];
  /** Makes the snapshot follow its changed inputs. */
  readonly reload: () => Promise<unknown>;
  /** Whether the snapshot in use was made from the inputs as they are: until then they may be taken back. */
  readonly isSettled: () => boolean;
  /** Keeps the snapshot in use for the others. */
  readonly putSnapshot: () => Promise<void>;
  readonly log: ListLog;
  readonly now: () => number;
}

/** Brings the files here and those that are shared to the newest edition of each, whoever made it. */
export async function shareFiles(options: ShareOptions): Promise<void> {
  const { store, log } = options;
  const shared = new Map((await store.list('lists/')).map((file) => [file.name, file]));
  const newer: Shareable[] = [];
  let isInputNew = false;
  for (const file of options.files()) {
    const there = shared.get(file.name);
    const verdict = compare(file, there);
    if (verdict === 'here') newer.push(file);
    if (there === undefined) continue;
    if (verdict === 'same') await exchangeState(file, there, options);
    if (verdict !== 'there') continue;
    try {
      await fetchFile(store, there, file.path);
      file.adopt(stateOf(there));
      isInputNew ||= file.inSnapshot;
      log.info({ file: file.name }, 'lists: took an edition that another instance has');
    } catch (error) {
      log.warn({ err: error, file: file.name }, 'lists: an edition of another instance could not be taken');
    }
  }
  if (isInputNew) await options.reload();
  if (newer.length > 0) await publish(newer, options);
}

async function publish(files: readonly Shareable[], options: ShareOptions): Promise<void> {
  const { store, isSettled, log, now } = options;
  const settled = isSettled();
  // Before its inputs: whoever gets these looks for it.
  if (settled && files.some(({ inSnapshot }) => inSnapshot)) await options.putSnapshot();
  for (const file of files) {
    const local = file.local();
    if (local === null || (file.inSnapshot && !settled)) continue;
    await putFile(store, file.path, { name: file.name, ...local, state: JSON.stringify(file.state()) }, now);
    log.info({ file: file.name }, 'lists: shared an edition with the other instances');
  }
}

/** Whoever asked the publisher last knows that the edition is still the newest; nobody else needs to ask today. */
async function exchangeState(file: Shareable, there: SharedFile, { store, now }: ShareOptions): Promise<void> {
  const mine = file.state();
  const theirs = stateOf(there);
  if (theirs.checkedAtMs > mine.checkedAtMs) file.adopt(theirs);
  if (mine.checkedAtMs > theirs.checkedAtMs) await store.publish({ ...there, state: JSON.stringify(mine) }, now());
}

const stateOf = ({ state }: SharedFile): RefreshState => JSON.parse(state ?? 'null') as RefreshState;

/** Where the newer edition is; an operator's own file stays where it is, apart from the shared one. */
function compare(file: Shareable, shared: SharedFile | undefined): 'here' | 'there' | 'same' | 'apart' {
  const local = file.local();
  if (local === null) return shared === undefined ? 'apart' : 'there';
  if (!file.isOurs()) return 'apart';
  if (shared === undefined) return 'here';
  if (local.size === shared.size && local.modifiedAtMs === shared.modifiedAtMs) return 'same';
  return local.modifiedAtMs > shared.modifiedAtMs ? 'here' : 'there';
}
