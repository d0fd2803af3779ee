import { compressBytes, decompressBytes } from '../platform/block-codec.ts';
import type { Hash } from './keyed-hash.ts';
import type { Observation } from './observation.ts';
import { bucketMs } from './windows.ts';

const hashes = ['address', 'domain', 'mailServer', 'ip', 'network', 'owner', 'shape'] as const;
const wordsEach = hashes.length * 2 + 5;

/** Characters of a decision's id that a block has: with its time they find it. */
const idCharacters = 6;
/** A decision is made in its bucket or just after it. */
const offsetBits = 19;
const standingBits = 2;

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
    for (const word of [seen.spelling, seen.decision, seen.bucket, madeWord(seen), idWord(seen)]) write(word);
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
      owner: hash(5),
      shape: hash(6),
      spelling: word(14),
      decision: word(15),
      bucket: word(16),
      ...madeOf(word(16), word(17)),
      decisionId: idEndOf(word(18)),
    });
  }
  return observations;
}

function madeWord({ bucket, madeAtMs, standing, action }: Observation): number {
  const offset = Math.min(Math.max(madeAtMs - bucket * bucketMs, 0), 2 ** offsetBits - 1);
  return offset | (standing << offsetBits) | (action << (offsetBits + standingBits));
}

function madeOf(bucket: number, word: number): Pick<Observation, 'madeAtMs' | 'standing' | 'action'> {
  return {
    madeAtMs: bucket * bucketMs + (word & (2 ** offsetBits - 1)),
    standing: (word >> offsetBits) & (2 ** standingBits - 1),
    action: word >> (offsetBits + standingBits),
  };
}

/** The last characters of an id, which are digits in Crockford's base 32. */
function idWord({ decisionId }: Observation): number {
  let word = 0;
  for (const digit of decisionId.slice(-idCharacters)) word = word * 32 + alphabet.indexOf(digit);
  return word;
}

function idEndOf(word: number): string {
  let text = '';
  for (let rest = word, index = 0; index < idCharacters; index += 1, rest >>= 5)
    text = alphabet.charAt(rest & 31) + text;
  return text;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
