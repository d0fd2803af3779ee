import { fileStamp } from '../../files/file-stamp.ts';
import type { RefreshSource } from './refresh-catalogue.ts';
import { readRefreshState } from './refresh-state.ts';
import { refreshTarget } from './refresh-target.ts';

/** A downloaded edition that is in use beside the snapshot. */
export interface DownloadedEdition {
  readonly name: string;
  /** The file below `lists/ip` that it became, where it is one. */
  readonly file: string | null;
  readonly format: RefreshSource['format'];
  /** ISO 8601. */
  readonly date: string;
}

/** The editions of IP data, rankings and servers that downloads put in place and the operator has not replaced since. */
export function downloadedEditions(dataDir: string, sources: readonly RefreshSource[]): DownloadedEdition[] {
  return sources.flatMap((source) => {
    const { path, inSnapshot } = refreshTarget(source, dataDir);
    if (inSnapshot) return [];
    const { edition, stamp } = readRefreshState(dataDir, source.name);
    if (edition === null || stamp !== fileStamp(path)) return [];
    return [{ name: source.name, file: source.file, format: source.format, date: edition.date }];
  });
}
