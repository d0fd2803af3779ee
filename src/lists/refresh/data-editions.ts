import { fileStamp } from '../../files/file-stamp.ts';
import type { IpData } from '../../ip/ip-data.ts';
import type { Ranks } from '../ranks/ranks.ts';
import type { DatedSource } from '../sources/package-dates.ts';
import { type RefreshSource, readRefreshSources } from './refresh-catalogue.ts';
import { readRefreshState } from './refresh-state.ts';
import { refreshTarget } from './refresh-target.ts';

/** The day of every edition in use: lists, TLDs, suffixes, ranks, IP data, registry servers. */
export interface DataEditions {
  all(): readonly DatedSource[];
  /** The day of the edition that a file of IP data holds; null when no download put it there. */
  ofFile(file: string): string | null;
}

/** The parts that editions are gathered from. */
export interface EditionOptions {
  readonly dataDir: string;
  readonly rdapBootstrapUrl: string;
  /** The sources of the snapshot in use. */
  readonly snapshotSources: () => readonly DatedSource[];
  readonly ranks: Ranks;
  readonly monotonicMs: () => number;
}

/** How long the state of downloads is cached. */
const freshMs = 60_000;

/** Gathers the editions; the state of downloads is read from disk, at most once a minute. */
export function dataEditions({ dataDir, rdapBootstrapUrl, snapshotSources, ranks, monotonicMs }: EditionOptions) {
  let downloads: readonly DownloadedEdition[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  const current = (): readonly DownloadedEdition[] => {
    if (monotonicMs() - readAtMs >= freshMs) {
      downloads = downloadedEditions(dataDir, readRefreshSources(dataDir, rdapBootstrapUrl));
      readAtMs = monotonicMs();
    }
    return downloads;
  };
  const ofFile = (file: string): string | null => current().find((each) => each.file === file)?.date ?? null;
  return {
    ofFile,
    /** The editions, once the IP data is open. */
    with: (ip: IpData): DataEditions => ({
      ofFile,
      all: () => [...snapshotSources(), ...current(), ...rankingOf(ranks, current()), ...ipPackages(ip, current())],
    }),
  };
}

/** A ranking that the operator imported; a downloaded one is among the downloads. */
function rankingOf(ranks: Ranks, downloads: readonly DownloadedEdition[]): DatedSource[] {
  const { source, date } = ranks.status();
  return source === null || downloads.some(({ format }) => format === 'ranking') ? [] : [{ name: source, date }];
}

/** The packages of IP data that no file of the same kind replaces. */
function ipPackages(ip: IpData, downloads: readonly DownloadedEdition[]): DatedSource[] {
  const { country, networks, files } = ip.status();
  const isThere = (name: string): boolean =>
    downloads.some(({ file }) => file === name) || files.some(({ file, state }) => file === name && state === 'used');
  return [
    ...(isThere('city.mmdb') ? [] : [{ name: country.source, date: country.date }]),
    ...(networks === null || isThere('asn.mmdb') ? [] : [{ name: networks.source, date: networks.date }]),
  ];
}

/** A downloaded edition that is in use beside the snapshot. */
interface DownloadedEdition {
  readonly name: string;
  /** The file below `lists/ip` that it became, where it is one. */
  readonly file: string | null;
  readonly format: RefreshSource['format'];
  /** ISO 8601. */
  readonly date: string;
}

/** The editions of IP data, rankings and servers that downloads put in place and the operator has not replaced since. */
function downloadedEditions(dataDir: string, sources: readonly RefreshSource[]): DownloadedEdition[] {
  return sources.flatMap((source) => {
    const { path, inSnapshot } = refreshTarget(source, dataDir);
    if (inSnapshot) return [];
    const { edition, stamp } = readRefreshState(dataDir, source.name);
    if (edition === null || stamp !== fileStamp(path)) return [];
    return [{ name: source.name, file: source.file, format: source.format, date: edition.date }];
  });
}
