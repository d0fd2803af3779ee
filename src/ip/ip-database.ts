import { createRequire } from 'node:module';
import type { Response } from 'mmdb-lib';
import type { IpAddress } from '../address/ip.ts';
import { errorMessage } from '../error-message.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { lazily } from '../platform/lazily.ts';

/** Loaded with the first database that is opened. */
const mmdb = lazily((): typeof import('mmdb-lib') => createRequire(import.meta.url)('mmdb-lib'));

/** A database of networks in the MaxMind DB format 2.0, held as the bytes of its file. */
export interface IpDatabase {
  /** When its publisher built it, ISO 8601. */
  readonly builtAt: string;
  /** The publisher's name for it. */
  readonly type: string;
  readonly nodes: number;
  /** The record of the network an address is in, null when there is none. Throws when the file is damaged there. */
  find(ip: IpAddress): unknown;
}

const metadataMarker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
/** The format puts the metadata into the last 128 KiB. */
const metadataWithin = 128 * 1024;
/** Decoded strings and maps that are kept: networks are looked up repeatedly. */
const cachedValues = 4_000;
/** Addresses looked up before a file is trusted, evenly spread over IPv4. */
const probes = 256;

/** Opens a database without decoding it; throws an error that says what is wrong with the bytes. */
export function openIpDatabase(bytes: Buffer): IpDatabase {
  if (bytes.subarray(-metadataWithin).lastIndexOf(metadataMarker) < 0) throw new Error('not a MaxMind DB file, or cut');
  const { Reader } = mmdb();
  const reader = readable(
    () => new Reader<Response>(bytes, { cache: boundedMap<string | number, unknown>(cachedValues) }),
  );
  const { binaryFormatMajorVersion, ipVersion, nodeCount, searchTreeSize, buildEpoch, databaseType } = reader.metadata;
  if (binaryFormatMajorVersion !== 2) throw new Error(`format ${binaryFormatMajorVersion}, not 2`);
  if (ipVersion !== 4 && ipVersion !== 6) throw new Error(`IP version ${ipVersion}`);
  if (!Number.isInteger(nodeCount) || nodeCount < 1 || searchTreeSize + 16 > bytes.length) {
    throw new Error('the search tree does not fit into the file');
  }
  readable(() => {
    for (let i = 0; i < probes; i += 1) reader.get(`${i}.${(i * 89) % 256}.${(i * 151) % 256}.1`);
  });
  return {
    builtAt: Number.isNaN(buildEpoch.getTime()) ? 'unknown' : buildEpoch.toISOString(),
    type: String(databaseType),
    nodes: nodeCount,
    // A tree of IPv4 would be searched with the first 32 bits of an IPv6 address.
    find: (ip) => (ip.version > ipVersion ? null : reader.get(ip.text)),
  };
}

function readable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`damaged: ${errorMessage(error)}`, { cause: error });
  }
}
