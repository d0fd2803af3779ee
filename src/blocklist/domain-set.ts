import { randomInt } from 'node:crypto';

/** A set of domain names that keeps 64 bits of each: about 17 bytes an entry at a million. */
export interface DomainSet {
  readonly size: number;
  has(domain: string): boolean;
  add(domain: string): void;
  delete(domain: string): void;
}

/** What a set starts from. */
export interface DomainSetOptions {
  /** How many names to make room for at once. */
  readonly expected?: number;
  /** Secret of the hash, so that nobody can choose names that collide. */
  readonly seed?: number;
}

const fewestSlots = 8;
/** Beyond three quarters full, probes of open addressing become long. */
const fullest = 0.75;

/**
 * Open addressing over pairs of 32-bit words, so a million names are one typed array and not a million strings.
 * Two names are taken for one when all 64 bits agree: for a list of a million, a chance of 10^-13 a question.
 */
export function createDomainSet({ expected = 0, seed = randomInt(2 ** 32) }: DomainSetOptions = {}): DomainSet {
  let slots = new Uint32Array(2 * slotsFor(expected));
  let mask = slots.length / 2 - 1;
  let size = 0;
  /** The hash of the name last asked about: two words, where an object would be garbage of every lookup. */
  let low = 0;
  let high = 0;

  const hash = (domain: string): void => {
    let a = seed ^ 0x9e3779b9;
    let b = Math.imul(seed, 0x2c1b3c6d) ^ domain.length;
    for (let index = 0; index < domain.length; index += 1) {
      const code = domain.charCodeAt(index);
      a = Math.imul(a ^ code, 0x85ebca6b);
      a ^= a >>> 15;
      b = Math.imul(((b << 7) | (b >>> 25)) ^ code, 0xc2b2ae35);
    }
    // Each word ends up depending on every bit of both.
    a = Math.imul(a ^ (b >>> 16), 0x27d4eb2f);
    b = Math.imul(b ^ (a >>> 13), 0x165667b1);
    a = Math.imul(a ^ (b >>> 15), 0x9e3779b1);
    low = (a ^ (a >>> 16)) >>> 0;
    high = (b ^ (b >>> 14)) >>> 0;
    // Two zeros mark a slot that is free.
    if (low === 0 && high === 0) high = 1;
  };

  /** The slot that holds the hash, or the free one where it would go. */
  const find = (): number => {
    let slot = low & mask;
    for (;;) {
      const there = slots[2 * slot];
      const thereHigh = slots[2 * slot + 1];
      if ((there === low && thereHigh === high) || (there === 0 && thereHigh === 0)) return slot;
      slot = (slot + 1) & mask;
    }
  };
  const isFree = (slot: number): boolean => slots[2 * slot] === 0 && slots[2 * slot + 1] === 0;
  const put = (slot: number, lowWord: number, highWord: number): void => {
    slots[2 * slot] = lowWord;
    slots[2 * slot + 1] = highWord;
  };

  const grow = (): void => {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    mask = slots.length / 2 - 1;
    for (let index = 0; index < old.length; index += 2) {
      low = old[index] as number;
      high = old[index + 1] as number;
      if (low !== 0 || high !== 0) put(find(), low, high);
    }
  };

  /** Moves later entries of the same run up, so that no probe ends at the hole. */
  const close = (hole: number): void => {
    let free = hole;
    for (let slot = (hole + 1) & mask; !isFree(slot); slot = (slot + 1) & mask) {
      const lowWord = slots[2 * slot] as number;
      const reach = (slot - (lowWord & mask)) & mask;
      if (reach < ((slot - free) & mask)) continue;
      put(free, lowWord, slots[2 * slot + 1] as number);
      free = slot;
    }
    put(free, 0, 0);
  };

  return {
    get size() {
      return size;
    },
    has(domain) {
      if (size === 0) return false;
      hash(domain);
      return !isFree(find());
    },
    add(domain) {
      hash(domain);
      const slot = find();
      if (!isFree(slot)) return;
      put(slot, low, high);
      size += 1;
      if (size > fullest * (mask + 1)) grow();
    },
    delete(domain) {
      hash(domain);
      const slot = find();
      if (isFree(slot)) return;
      close(slot);
      size -= 1;
    },
  };
}

function slotsFor(names: number): number {
  return Math.max(fewestSlots, 2 ** Math.ceil(Math.log2((names + 1) / fullest)));
}
