import { type Hash, ownerGroupOf } from './keyed-hash.ts';
import { storedBuckets } from './windows.ts';
import { readInt, writeInt } from './word-pairs.ts';

/** How the members of a key are stored: the only one in its slot, several in a chain of `MemberBlocks`, many in a `LargeSet`. */
export const form = { single: 0, chain: 512, large: 1024 } as const;

/** A state: the bucket of the key's latest member in 9 bits, the form of its members in 2, and 5 bits of the key's hash. */
const seenMask = storedBuckets - 1;
const formMask = 1536;
const hashMask = 0xf800;

/**
 * A slot has its tag, which is zero in a free slot, its value (the only member, the first block of the chain, or the index of the
 * large set) and its state. Values that are read together are stored together: with an array for each, counting took twice as long.
 */
const slotWords = 5;
const valueWord = 2;
const stateWord = 4;
const maxLoad = 0.85;
/** The bytes that a key needs at the highest load. */
export const keyBytes = (slotWords * 2) / maxLoad;

/** A small open-addressing table from keys to values and states. Keys are never removed: a new table replaces it. */
export class KeySlots {
  readonly capacity: number;
  readonly #words: Uint16Array;
  #used = 0;

  /** Has room for so many keys and a few more. */
  constructor(keys: number) {
    this.capacity = Math.ceil(keys / maxLoad) + 4;
    this.#words = new Uint16Array(this.capacity * slotWords);
  }

  get used(): number {
    return this.#used;
  }

  get bytes(): number {
    return this.#words.length * this.#words.BYTES_PER_ELEMENT;
  }

  /** There is no slot for another key. */
  get isFull(): boolean {
    return this.#used + 1 > this.capacity * maxLoad;
  }

  /** The slot of a key, or the free slot for it. */
  find(key: Hash): number {
    const tag = tagOf(key);
    for (let slot = this.#positionOf(tag); ; slot = this.#after(slot)) {
      const found = this.#tag(slot);
      if (found === 0 || (found === tag && ((this.#state(slot) ^ key.lo) & hashMask) === 0)) return slot;
    }
  }

  isUsed(slot: number): boolean {
    return this.#tag(slot) !== 0;
  }

  /** Fills a free slot. */
  take(slot: number, key: Hash, member: number, seen: number): void {
    this.#fill(slot, tagOf(key), seen | form.single | (key.lo & hashMask));
    this.setValue(slot, member);
  }

  /** Adds a key of another table, without its value and with this bucket; returns its slot. */
  takeFrom(other: KeySlots, otherSlot: number, seen: number): number {
    const tag = other.#tag(otherSlot);
    let slot = this.#positionOf(tag);
    while (this.isUsed(slot)) slot = this.#after(slot);
    this.#fill(slot, tag, seen | (other.#state(otherSlot) & ~seenMask));
    return slot;
  }

  value(slot: number): number {
    return readInt(this.#words, slot * slotWords + valueWord);
  }

  setValue(slot: number, value: number): void {
    writeInt(this.#words, slot * slotWords + valueWord, value);
  }

  form(slot: number): number {
    return this.#state(slot) & formMask;
  }

  setForm(slot: number, stored: number): void {
    this.#setState(slot, (this.#state(slot) & ~formMask) | stored);
  }

  /** The bucket of the key's latest member. */
  seen(slot: number): number {
    return this.#state(slot) & seenMask;
  }

  setSeen(slot: number, seen: number): void {
    this.#setState(slot, (this.#state(slot) & ~seenMask) | seen);
  }

  /** The group of the key's owner. */
  groupOf(slot: number): number {
    return ownerGroupOf(this.#tag(slot), this.#state(slot));
  }

  #fill(slot: number, tag: number, state: number): void {
    writeInt(this.#words, slot * slotWords, tag);
    this.#setState(slot, state);
    this.#used += 1;
  }

  #tag(slot: number): number {
    return readInt(this.#words, slot * slotWords);
  }

  #state(slot: number): number {
    return this.#words[slot * slotWords + stateWord] as number;
  }

  #setState(slot: number, state: number): void {
    this.#words[slot * slotWords + stateWord] = state;
  }

  #positionOf(tag: number): number {
    return Math.floor(((tag >>> 0) / 2 ** 32) * this.capacity);
  }

  #after(slot: number): number {
    return slot + 1 === this.capacity ? 0 : slot + 1;
  }
}

function tagOf({ hi }: Hash): number {
  return hi === 0 ? 1 : hi;
}
