import { decodeSections, encodeSections, readSectionHeader, type SectionFormat } from '../files/section-file.ts';
import type { Ranges } from './ip-ranges.ts';

/** The networks of one IP version: ranges of addresses, each with the index of its autonomous system. */
export interface NetworkRanges extends Ranges {
  readonly systems: Uint32Array;
}

/** The networks of a package, compiled. */
export interface Networks {
  /** Changes with every input of the file. */
  readonly fingerprint: string;
  readonly v4: NetworkRanges;
  readonly v6: NetworkRanges;
  /** Numbers of the autonomous systems, ascending. */
  readonly asns: Uint32Array;
  /** The class of each, as its index in `classNames` plus one; 0 is none. */
  readonly classes: Uint8Array;
  readonly classNames: readonly string[];
  /** The start of each name in `names`; the last one is the end. */
  readonly nameStarts: Uint32Array;
  readonly names: Buffer;
}

type Header = Pick<Networks, 'fingerprint' | 'classNames'>;

const format: SectionFormat<Header> = { name: 'a file of networks', magic: 'SPNETWS\n', version: 1 };

export function encodeNetworks(networks: Networks): Uint8Array {
  const { fingerprint, classNames, v4, v6, asns, classes, nameStarts, names } = networks;
  const arrays = [v4, v6].flatMap(({ starts, ends, systems }) => [starts, ends, systems]);
  return encodeSections(format, { fingerprint, classNames }, [...arrays, asns, nameStarts, classes, names]);
}

/** The fingerprint in a file's header. */
export function readNetworksFingerprint(path: string): string {
  return readSectionHeader(format, path).fingerprint;
}

/** Reads the networks without copying them; throws an error that says what is wrong with the bytes. */
export function decodeNetworks(file: Uint8Array): Networks {
  const { header, bytes, words } = decodeSections(format, file);
  const ranges = (first: number, width: 1 | 4): NetworkRanges => {
    const systems = words(first + 2);
    return { width, count: systems.length, starts: words(first), ends: words(first + 1), systems };
  };
  const names = bytes(9);
  return {
    ...header,
    v4: ranges(0, 1),
    v6: ranges(3, 4),
    asns: words(6),
    nameStarts: words(7),
    classes: bytes(8),
    names: Buffer.from(names.buffer, names.byteOffset, names.byteLength),
  };
}
