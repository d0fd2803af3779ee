import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { fileStamp } from '../../files/file-stamp.ts';
import { readRefreshSources } from '../refresh/refresh-catalogue.ts';
import { type RefreshState, readRefreshState, writeRefreshState } from '../refresh/refresh-state.ts';
import { refreshTarget } from '../refresh/refresh-target.ts';

/** The size and time that distinguish the editions of a file. */
export interface LocalFile {
  readonly size: number;
  readonly modifiedAtMs: number;
}

/** A file that one instance refreshes or imports for all instances. */
export interface DistributedFile {
  /** Its path below the data directory. */
  readonly name: string;
  readonly path: string;
  /** Whether it is an input of the snapshot. */
  readonly inSnapshot: boolean;
  /** The file on disk now; null when there is none. */
  local(): LocalFile | null;
  /** False for a file that the operator put there by hand. */
  isOurs(): boolean;
  /** The refresh state of the edition in use. */
  state(): RefreshState;
  /** Adopts another instance's refresh state of the edition on disk. */
  adopt(state: RefreshState): void;
}

/** The distributed files. The list of RDAP servers is not among them: each instance keeps its own copy. */
export function distributedFiles(dataDir: string, rdapBootstrapUrl: string): DistributedFile[] {
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
        // No other program writes the format of rankings.
        isOurs: () => source.format === 'ranking' || known().stamp === fileStamp(path),
        state: known,
        adopt(state) {
          // A stamp is valid on one machine; null means that the file differs from the download.
          writeRefreshState(dataDir, source.name, { ...state, stamp: state.stamp === null ? null : fileStamp(path) });
        },
      };
    });
}

function localFile(path: string): LocalFile | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : { size: found.size, modifiedAtMs: Math.round(found.mtimeMs) };
}
