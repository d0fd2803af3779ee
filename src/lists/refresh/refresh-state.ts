import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../error-message.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import type { Edition } from './edition-date.ts';

/** The stored state of a source between refreshes. */
export interface RefreshState {
  /** When the publisher last answered. */
  readonly checkedAtMs: number;
  /** When the edition in use was downloaded. */
  readonly fetchedAtMs: number | null;
  /** The day of the edition in use; null when there is none, or when an older release downloaded it. */
  readonly edition: Edition | null;
  readonly count: number;
  readonly etag: string | null;
  /** Where the edition in use came from: an entity tag is valid for one URL only. */
  readonly url: string | null;
  readonly sha256: string | null;
  /** The file made of the edition, as the refresh wrote it; another one means that the operator replaced it. */
  readonly stamp: string | null;
  /** Why the last attempt failed; null after a success. */
  readonly problem: string | null;
}

/** The state of a source that was never requested. */
const neverRefreshed: RefreshState = {
  checkedAtMs: 0,
  fetchedAtMs: null,
  edition: null,
  count: 0,
  etag: null,
  url: null,
  sha256: null,
  stamp: null,
  problem: null,
};

function pathOf(dataDir: string, name: string): string {
  return join(dataDir, 'lists', 'refresh', `${name}.json`);
}

/** The stored state of a source. A damaged file costs one more download, nothing else. */
export function readRefreshState(dataDir: string, name: string): RefreshState {
  const path = pathOf(dataDir, name);
  if (!existsSync(path)) return neverRefreshed;
  try {
    const found: Partial<RefreshState> = JSON.parse(readFileSync(path, 'utf8'));
    return { ...neverRefreshed, ...found };
  } catch (error) {
    const reason = errorMessage(error);
    return { ...neverRefreshed, problem: `${path} is damaged: ${reason}` };
  }
}

/** Stores the state of a source, one file each, so that concurrent refreshes do not overwrite each other. */
export function writeRefreshState(dataDir: string, name: string, state: RefreshState): void {
  writeFileAtomic(pathOf(dataDir, name), `${JSON.stringify(state)}\n`);
}
