import { randomInt } from 'node:crypto';

export interface DomainSetOptions {
  /** The number of names to allocate slots for. */
  readonly expected?: number;
  /** The secret seed of the hash, so that users cannot choose names that collide. */
  readonly seed?: number;
}

const minSlots = 8;
/** Above this load factor, probe sequences of open addressing become long. */
const maxLoad = 0.75;

/**
 * A set of domain names that stores a 64-bit hash of each: about 17 bytes per entry at a million. It uses open addressing over
 * pairs of 32-bit words, so that a million names are one typed array instead of a million strings.
 * Two names with the same 64 bits are confused: for a list of a million, the probability is 10^-13 per query.
 */
export class DomainSet {
  readonly #seed: number;
  #slots: Uint32Array;
  #mask: number;
  #size = 0;
  /** The hash of the last queried name, in two fields to avoid an allocation per lookup. */
  #low = 0;
  #high = 0;

  constructor({ expected = 0, seed = randomInt(2 ** 32) }: DomainSetOptions = {}) {
    this.#seed = seed;
    this.#slots = new Uint32Array(2 * slotsFor(expected));
    this.#mask = this.#slots.length / 2 - 1;
  }

  get size(): number {
    return this.#size;
  }

  has(domain: string): boolean {
    if (this.#size === 0) return false;
    this.#hash(domain);
    return !this.#isFree(this.#find());
  }

  add(domain: string): void {
    if (this.#size >= maxLoad * (this.#mask + 1)) this.#grow();
    this.#hash(domain);
    const slot = this.#find();
    if (!this.#isFree(slot)) return;
    this.#put(slot, this.#low, this.#high);
    this.#size += 1;
  }

  delete(domain: string): void {
    if (this.#size === 0) return;
    this.#hash(domain);
    const slot = this.#find();
    if (this.#isFree(slot)) return;
    this.#close(slot);
    this.#size -= 1;
  }

  #hash(domain: string): void {
    let a = this.#seed ^ 0x9e3779b9;
    let b = Math.imul(this.#seed, 0x2c1b3c6d) ^ domain.length;
    for (let index = 0; index < domain.length; index += 1) {
      const code = domain.charCodeAt(index);
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

  #put(slot: number, low: number, high: number): void {
    this.#slots[2 * slot] = low;
    this.#slots[2 * slot + 1] = high;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    this.#mask = this.#slots.length / 2 - 1;
    for (let index = 0; index < old.length; index += 2) {
      this.#low = old[index] as number;
      this.#high = old[index + 1] as number;
      if (this.#low !== 0 || this.#high !== 0) this.#put(this.#find(), this.#low, this.#high);
    }
  }

  /** Moves later entries of the same run into the freed slot, so that no probe sequence ends there. */
  #close(hole: number): void {
    let free = hole;
    for (let slot = (hole + 1) & this.#mask; !this.#isFree(slot); slot = (slot + 1) & this.#mask) {
      const low = this.#slots[2 * slot] as number;
      const reach = (slot - (low & this.#mask)) & this.#mask;
      if (reach < ((slot - free) & this.#mask)) continue;
      this.#put(free, low, this.#slots[2 * slot + 1] as number);
      free = slot;
    }
    this.#put(free, 0, 0);
  }
}

function slotsFor(names: number): number {
  return Math.max(minSlots, 2 ** Math.ceil(Math.log2((names + 1) / maxLoad)));
}
