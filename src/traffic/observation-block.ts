import { compressBytes, decompressBytes } from '../platform/block-codec.ts';
import type { Hash } from './keyed-hash.ts';
import type { Observation } from './observation.ts';

const hashes = ['address', 'domain', 'mailServer', 'ip', 'network'] as const;
const wordsEach = hashes.length * 2 + 3;

/** Observations as a compressed block of little-endian words. */
export function encodeObservations(observations: readonly Observation[]): Uint8Array {
  const bytes = Buffer.alloc(observations.length * wordsEach * 4);
  let at = 0;
  const write = (word: number): void => {
    at = bytes.writeInt32LE(word, at);
  };
  for (const seen of observations) {
    for (const name of hashes) {
      write(seen[name].hi);
      write(seen[name].lo);
    }
    for (const word of [seen.spelling, seen.decision, seen.bucket]) write(word);
  }
  return compressBytes(bytes);
}

/** The observations of a block. */
export function decodeObservations(body: Uint8Array): Observation[] {
  const bytes = decompressBytes(body);
  const observations: Observation[] = [];
  for (let start = 0; start < bytes.length; start += wordsEach * 4) {
    const word = (index: number): number => bytes.readInt32LE(start + index * 4);
    const hash = (index: number): Hash => ({ hi: word(index * 2), lo: word(index * 2 + 1) });
    observations.push({
      address: hash(0),
      domain: hash(1),
      mailServer: hash(2),
      ip: hash(3),
      network: hash(4),
      spelling: word(10),
      decision: word(11),
      bucket: word(12),
    });
  }
  return observations;
}
