import { randomInt } from 'node:crypto';

export interface HashedSetOptions {
  /** The number of texts to allocate slots for. */
  readonly expected?: number;
  /** The secret seed of the hash, so that users cannot choose texts that collide. */
  readonly seed?: number;
}

const minSlots = 8;
/** Above this load factor, probe sequences of open addressing become long. */
const maxLoad = 0.75;
const processSeed = randomInt(2 ** 32);

/**
 * A set of texts that stores a 64-bit hash of each: about 17 bytes per text at a million. It uses open addressing over
 * pairs of 32-bit words, so that a million texts are one typed array instead of a million strings. A text may be in the set
 * until a moment; these moments take memory once the set has one.
 * Two texts with the same 64 bits are confused: for a set of a million, the probability is 10^-13 per query.
 */
export class HashedSet {
  readonly #seed: number;
  #slots: Uint32Array;
  /** By slot, until when its text is in the set; null while every text is in it for good. */
  #untilMs: Float64Array | null = null;
  #mask: number;
  #size = 0;
  /** The hash of the last queried text, in two fields to avoid an allocation per query. */
  #low = 0;
  #high = 0;

  constructor({ expected = 0, seed = processSeed }: HashedSetOptions = {}) {
    this.#seed = seed;
    this.#slots = new Uint32Array(2 * slotsFor(expected));
    this.#mask = this.#slots.length / 2 - 1;
  }

  get size(): number {
    return this.#size;
  }

  has(text: string): boolean {
    return this.untilOf(text) !== 0;
  }

  /** Until when the text from `start` on is in the set: infinity for good, 0 for a text that is not in it. */
  untilOf(text: string, start = 0): number {
    if (this.#size === 0) return 0;
    this.#hash(text, start);
    const slot = this.#find();
    if (this.#isFree(slot)) return 0;
    return this.#untilMs === null ? Number.POSITIVE_INFINITY : (this.#untilMs[slot] as number);
  }

  /** Adds a text, or changes until when it is in the set. */
  add(text: string, untilMs = Number.POSITIVE_INFINITY): void {
    if (this.#size >= maxLoad * (this.#mask + 1)) this.#grow();
    this.#hash(text, 0);
    const slot = this.#find();
    if (this.#isFree(slot)) this.#size += 1;
    if (untilMs !== Number.POSITIVE_INFINITY) this.#untilMs ??= forGood(this.#mask + 1);
    this.#put(slot, this.#low, this.#high, untilMs);
  }

  delete(text: string): void {
    if (this.#size === 0) return;
    this.#hash(text, 0);
    const slot = this.#find();
    if (this.#isFree(slot)) return;
    this.#close(slot);
    this.#size -= 1;
  }

  #hash(text: string, start: number): void {
    let a = this.#seed ^ 0x9e3779b9;
    let b = Math.imul(this.#seed, 0x2c1b3c6d) ^ (text.length - start);
    for (let index = start; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      a = Math.imul(a ^ code, 0x85ebca6b);
      a ^= a >>> 15;
      b = Math.imul(((b << 7) | (b >>> 25)) ^ code, 0xc2b2ae35);
    }
    // Mix, so that each word depends on every bit of both.
    a = Math.imul(a ^ (b >>> 16), 0x27d4eb2f);
    b = Math.imul(b ^ (a >>> 13), 0x165667b1);
    a = Math.imul(a ^ (b >>> 15), 0x9e3779b1);
    this.#low = (a ^ (a >>> 16)) >>> 0;
    this.#high = (b ^ (b >>> 14)) >>> 0;
    // Two zeros mark a free slot.
    if (this.#low === 0 && this.#high === 0) this.#high = 1;
  }

  /** The slot that holds the hash, or the free slot to insert it into. */
  #find(): number {
    const slots = this.#slots;
    let slot = this.#low & this.#mask;
    for (;;) {
      const low = slots[2 * slot];
      const high = slots[2 * slot + 1];
      if ((low === this.#low && high === this.#high) || (low === 0 && high === 0)) return slot;
      slot = (slot + 1) & this.#mask;
    }
  }

  #isFree(slot: number): boolean {
    return this.#slots[2 * slot] === 0 && this.#slots[2 * slot + 1] === 0;
  }

  #put(slot: number, low: number, high: number, untilMs: number): void {
    this.#slots[2 * slot] = low;
    this.#slots[2 * slot + 1] = high;
    if (this.#untilMs !== null) this.#untilMs[slot] = untilMs;
  }

  #untilAt(slot: number, untilMs: Float64Array | null): number {
    return untilMs === null ? Number.POSITIVE_INFINITY : (untilMs[slot] as number);
  }

  #grow(): void {
    const old = this.#slots;
    const oldUntilMs = this.#untilMs;
    this.#slots = new Uint32Array(old.length * 2);
    this.#mask = this.#slots.length / 2 - 1;
    if (oldUntilMs !== null) this.#untilMs = forGood(this.#mask + 1);
    for (let index = 0; index < old.length; index += 2) {
      this.#low = old[index] as number;
      this.#high = old[index + 1] as number;
      if (this.#low === 0 && this.#high === 0) continue;
      this.#put(this.#find(), this.#low, this.#high, this.#untilAt(index / 2, oldUntilMs));
    }
  }

  /** Moves later entries of the same run into the freed slot, so that no probe sequence ends there. */
  #close(hole: number): void {
    let free = hole;
    for (let slot = (hole + 1) & this.#mask; !this.#isFree(slot); slot = (slot + 1) & this.#mask) {
      const low = this.#slots[2 * slot] as number;
      const reach = (slot - (low & this.#mask)) & this.#mask;
      if (reach < ((slot - free) & this.#mask)) continue;
      this.#put(free, low, this.#slots[2 * slot + 1] as number, this.#untilAt(slot, this.#untilMs));
      free = slot;
    }
    this.#put(free, 0, 0, Number.POSITIVE_INFINITY);
  }
}

const forGood = (slots: number): Float64Array => new Float64Array(slots).fill(Number.POSITIVE_INFINITY);

function slotsFor(texts: number): number {
  return Math.max(minSlots, 2 ** Math.ceil(Math.log2((texts + 1) / maxLoad)));
}
