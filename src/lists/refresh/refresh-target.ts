import { join } from 'node:path';
import { bootstrapPath } from '../../net/registry/rdap-bootstrap.ts';
import { tldSource } from '../sources/source-catalogue.ts';
import type { RefreshSource } from './refresh-catalogue.ts';

/** The file that a source becomes. */
export interface RefreshTarget {
  readonly path: string;
  /** Whether it is an input of the snapshot, which must then be rebuilt. */
  readonly inSnapshot: boolean;
}

/** Where a source goes below the data directory. */
export function refreshTarget(source: RefreshSource, dataDir: string): RefreshTarget {
  const listsDir = join(dataDir, 'lists');
  switch (source.format) {
    case 'lines':
    case 'json':
    case 'fakefilter':
      return { path: join(listsDir, 'sources', `${named(source, source.package)}.txt`), inSnapshot: true };
    case 'tlds':
      return { path: join(listsDir, 'sources', `${tldSource}.txt`), inSnapshot: true };
    case 'rdap':
      return { path: bootstrapPath(dataDir), inSnapshot: false };
    case 'ranking':
      return { path: join(listsDir, 'ranks.bin'), inSnapshot: false };
    case 'addresses':
    case 'mmdb':
      return { path: join(listsDir, 'ip', named(source, source.file)), inSnapshot: false };
  }
}

function named(source: RefreshSource, name: string | null): string {
  if (name === null) throw new Error(`data/refresh-sources.json: ${source.name} does not say what it becomes`);
  return name;
}
