import { compressBytes, decompressBytes } from '../platform/block-codec.ts';
import { alphabet } from '../ulid.ts';
import type { Hash } from './keyed-hash.ts';
import { bucketMs } from './windows.ts';

/**
 * The words of one observation: the counted values of one decision. Keyed hashes under the owner have two words each, and
 * are zero for a value that is absent, unknown or erased. `spelling` and `decision` are members of sets; `shape` is the shape of the
 * local part at domains that are neither public nor established.
 */
export const word = {
  address: 0,
  domain: 2,
  mailServer: 4,
  ip: 6,
  network: 8,
  owner: 10,
  shape: 12,
  device: 14,
  /** The /20 of the IP address, of IPv6 its /32: half a hash is enough to compare neighbours. */
  wideNetwork: 16,
  /** The number of the autonomous system; 0 while it is unknown. */
  asn: 17,
  spelling: 18,
  decision: 19,
  bucket: 20,
  /** Once the decision is made: when, the traits of its domain and its action; see `madeWord`. */
  made: 21,
  /** The end of the decision's id. */
  idEnd: 22,
} as const;
export const wordsEach = 23;

const fewObservations = 16;

/**
 * Observations in one array of words: as objects they would live until the next write, and every garbage collection would copy them.
 * An observation is named by the place of its first word.
 */
export class ObservationBlock {
  #words: Int32Array;
  #length: number;

  constructor(words = new Int32Array(fewObservations * wordsEach), length = 0) {
    this.#words = words;
    this.#length = length;
  }

  get length(): number {
    return this.#length;
  }

  /** The place after the last observation. */
  get end(): number {
    return this.#length * wordsEach;
  }

  /** Adds an observation of nothing. */
  add(): number {
    const place = this.end;
    if (place === this.#words.length) this.#resize(place * 2);
    this.#length += 1;
    return place;
  }

  get(at: number): number {
    return this.#words[at] as number;
  }

  set(at: number, value: number): void {
    this.#words[at] = value;
  }

  hash(at: number): Hash {
    return { hi: this.get(at), lo: this.get(at + 1) };
  }

  setHash(at: number, { hi, lo }: Hash): void {
    this.set(at, hi);
    this.set(at + 1, lo);
  }

  /** Adds an observation of another block. */
  copy(from: ObservationBlock, place: number): void {
    const to = this.add();
    const own = this.#words;
    const others = from.#words;
    for (let offset = 0; offset < wordsEach; offset += 1) own[to + offset] = others[place + offset] as number;
  }

  /** Removes so many observations from the beginning. */
  dropFirst(count: number): void {
    const { end } = this;
    this.#words.copyWithin(0, count * wordsEach, end);
    this.#length -= count;
    this.#words.fill(0, this.end, end);
    if (this.end < this.#words.length / 4) this.#resize(2 * this.end);
  }

  #resize(words: number): void {
    const resized = new Int32Array(Math.max(words, wordsEach));
    resized.set(this.#words.subarray(0, this.end));
    this.#words = resized;
  }

  encode(): Uint8Array {
    return compressBytes(new Uint8Array(this.#words.buffer, 0, this.end * 4));
  }

  static decode(body: Uint8Array): ObservationBlock {
    // A copy: the words of a buffer may not be aligned.
    const words = new Int32Array(new Uint8Array(decompressBytes(body)).buffer);
    return new ObservationBlock(words, words.length / wordsEach);
  }
}

/** A decision is made in its bucket or just after it. */
const offsetBits = 19;
const traitBits = 4;
const maxOffset = 2 ** offsetBits - 1;
const actionBits = 2;

/** When a decision was made in or after a bucket, the traits of its domain and the place of its action in `actions`. */
export function madeWord(bucket: number, madeAtMs: number, traits: number, action: number): number {
  const offset = Math.min(Math.max(madeAtMs - bucket * bucketMs, 0), maxOffset);
  return offset | (traits << offsetBits) | (action << (offsetBits + traitBits));
}

export function madeAtMs(block: ObservationBlock, place: number): number {
  return block.get(place + word.bucket) * bucketMs + (block.get(place + word.made) & maxOffset);
}

export function traitsOf(block: ObservationBlock, place: number): number {
  return (block.get(place + word.made) >> offsetBits) & (2 ** traitBits - 1);
}

export function actionOf(block: ObservationBlock, place: number): number {
  return (block.get(place + word.made) >> (offsetBits + traitBits)) & (2 ** actionBits - 1);
}

/** The values of digits by their character codes. */
const valueOfDigit = new Uint8Array(128);
for (const [value, character] of [...alphabet].entries()) valueOfDigit[character.charCodeAt(0)] = value;

/** Characters of a decision's id that a block has: with its time they find it. */
const idCharacters = 6;

export function idEndWord(id: string): number {
  let end = 0;
  for (let at = id.length - idCharacters; at < id.length; at += 1)
    end = end * 32 + (valueOfDigit[id.charCodeAt(at)] as number);
  return end;
}

export function idEndText(end: number): string {
  const digits = Array.from({ length: idCharacters }, (_, index) => alphabet.charAt((end >> (5 * index)) & 31));
  return digits.reverse().join('');
}
