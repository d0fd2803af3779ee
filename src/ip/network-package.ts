import { existsSync, readFileSync } from 'node:fs';
import { errorMessage } from '../error-message.ts';
import { networksFile } from '../files/compiled-files.ts';
import type { ListLog } from '../lists/snapshot/kept-snapshot.ts';
import { editionDate } from '../lists/sources/package-dates.ts';
import { packageVersion } from '../lists/sources/read-packages.ts';
import { findRange } from './ip-ranges.ts';
import type { IpNetwork } from './ip-records.ts';
import { buildNetworksInProcess } from './networks-build.ts';
import { networksFingerprint, networksPackage } from './networks-compile.ts';
import { decodeNetworks, type Networks, readNetworksFingerprint } from './networks-file.ts';

/** The networks of IP addresses, from a package that every installation has. */
export interface NetworkPackage {
  /** The network of an address, given by its words; null when none is known. */
  find(words: Uint32Array): IpNetwork | null;
  /** The class of an autonomous system; null when it has none. */
  classOf(asn: number): string | null;
  /** Resolves when the file of this package's edition exists, or cannot be built. */
  readonly ready: Promise<void>;
  readonly status: {
    readonly source: string;
    readonly version: string;
    /** When that version was published, ISO 8601; null when it is unknown. */
    readonly date: string | null;
    readonly licence: string;
    readonly attribution: string;
  };
  close(): void;
}

export interface NetworkPackageOptions {
  readonly dataDir: string;
  readonly log: ListLog;
  /** Compiles the package into a file, by default in a child process. */
  readonly build?: typeof buildNetworksInProcess;
}

/**
 * The package's tables are 45 MB of text: they are compiled once into `lists/networks.bin`. A start reads only the head of that
 * file; the whole is read and checked with the first lookup of an address, so that a service that never receives one spends no
 * memory. A damaged file is rebuilt in the background.
 */
export function openNetworkPackage(options: NetworkPackageOptions): NetworkPackage {
  const { dataDir, log, build = buildNetworksInProcess } = options;
  const path = networksFile(dataDir);
  const ended = new AbortController();
  let networks: Networks | null = null;
  let isReady = false;
  /** A disk that damages every file must not be written to forever. */
  let wasRepaired = false;
  const unusable = (error: unknown, message: string): void => log.warn({ path, reason: errorMessage(error) }, message);

  const usable = <T>(read: () => T): T | null => {
    try {
      return existsSync(path) ? read() : null;
    } catch (error) {
      unusable(error, 'IP data: the compiled networks are unusable and are built again');
      return null;
    }
  };
  const prepare = (isThere: boolean): Promise<void> =>
    (isThere ? Promise.resolve() : build(path, ended.signal, log)).then(
      () => {
        isReady = true;
      },
      (error) => {
        if (!ended.signal.aborted) unusable(error, 'IP data: networks could not be compiled and are unknown');
      },
    );
  const ready = prepare(usable(() => readNetworksFingerprint(path)) === networksFingerprint());
  const inUse = (): Networks | null => {
    if (networks !== null || !isReady) return networks;
    networks = usable(() => decodeNetworks(readFileSync(path)));
    if (networks === null) {
      isReady = false;
      if (!wasRepaired) void prepare(false);
      wasRepaired = true;
    }
    return networks;
  };
  return {
    find: (words) => findNetwork(inUse(), words),
    classOf: (asn) => classOf(inUse(), asn),
    ready,
    status: packageStatus(),
    close: () => ended.abort(),
  };
}

function packageStatus(): NetworkPackage['status'] {
  const version = packageVersion(networksPackage);
  return {
    source: networksPackage,
    version,
    date: editionDate(networksPackage, version),
    licence: 'CC-BY-4.0',
    attribution: 'networks by RouteViews and DB-IP',
  };
}

function findNetwork(known: Networks | null, words: Uint32Array): IpNetwork | null {
  if (known === null) return null;
  const ranges = words.length === 1 ? known.v4 : known.v6;
  const place = findRange(ranges, words);
  return place < 0 ? null : systemAt(known, ranges.systems[place] as number);
}

function classOf(known: Networks | null, asn: number): string | null {
  const place = known === null ? -1 : placeOf(known.asns, asn);
  return known === null || place < 0 ? null : classAt(known, place);
}

function systemAt(networks: Networks, place: number): IpNetwork {
  const { asns, nameStarts, names } = networks;
  const name = names.toString('utf8', nameStarts[place], nameStarts[place + 1]);
  return { asn: asns[place] as number, aso: name === '' ? null : name, domain: null };
}

function classAt({ classes, classNames }: Networks, place: number): string | null {
  return classNames[(classes[place] as number) - 1] ?? null;
}

/** Where a number is in an ascending array; -1 when it is not there. */
function placeOf(ascending: Uint32Array, wanted: number): number {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ascending[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return ascending[from] === wanted ? from : -1;
}
