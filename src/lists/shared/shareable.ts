import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { fileStamp } from '../../files/file-stamp.ts';
import { readRefreshSources } from '../refresh/refresh-catalogue.ts';
import { type RefreshState, readRefreshState, writeRefreshState } from '../refresh/refresh-state.ts';
import { refreshTarget } from '../refresh/refresh-target.ts';

/** A file on this machine, as it is told from other editions. */
export interface LocalFile {
  readonly size: number;
  readonly modifiedAtMs: number;
}

/** A file that a refresh or an import makes, and that one instance can make for all. */
export interface Shareable {
  /** Its path below the data directory. */
  readonly name: string;
  readonly path: string;
  /** The snapshot is made from it. */
  readonly inSnapshot: boolean;
  /** The file that is there now; null when there is none. */
  local(): LocalFile | null;
  /** Whether the file came by a refresh, an import or another instance, and not by the operator's hand. */
  isOurs(): boolean;
  /** What is known of the edition in use. */
  state(): RefreshState;
  /** Takes over what another instance knows of the edition that is there now. */
  adopt(state: RefreshState): void;
}

/** What instances share. The servers of registries are not among it: each instance keeps its own copy of these. */
export function shareables(dataDir: string, rdapBootstrapUrl: string): Shareable[] {
  return readRefreshSources(dataDir, rdapBootstrapUrl)
    .filter(({ format }) => format !== 'rdap')
    .map((source) => {
      const { path, inSnapshot } = refreshTarget(source, dataDir);
      const known = (): RefreshState => readRefreshState(dataDir, source.name);
      return {
        name: relative(dataDir, path),
        path,
        inSnapshot,
        local: () => localFile(path),
        // A ranking is in a format of our own: nobody else writes it.
        isOurs: () => source.format === 'ranking' || known().stamp === fileStamp(path),
        state: known,
        adopt(state) {
          // A stamp is of one machine; none at all means that the file is not what was downloaded.
          writeRefreshState(dataDir, source.name, { ...state, stamp: state.stamp === null ? null : fileStamp(path) });
        },
      };
    });
}

function localFile(path: string): LocalFile | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : { size: found.size, modifiedAtMs: Math.round(found.mtimeMs) };
}
