import type { WindowCounts } from './windows.ts';
import { readInt, writeInt } from './word-pairs.ts';

/** The result of `count`: where the member is, else a free or expired place (-1 without either), and the blocks of the chain. */
export interface CountedChain {
  place: number;
  length: number;
}

/** A block has four members, zero in a free place, the buckets in which they were last seen, and the next block; 0 ends a chain. */
const blockWords = 14;
const seenWord = 8;
const nextWord = 12;
export const membersPerBlock = 4;
export const blockBytes = blockWords * 2;

/** Overwritten by the next call. */
const counted: CountedChain = { place: -1, length: 0 };

/**
 * Chains of blocks in one array, each with the members of one key. A chain is named by its first block, 0 is an empty one, and a
 * member by its place.
 */
export class MemberBlocks {
  readonly #words: Uint16Array;
  #free: number;

  constructor(blocks: number) {
    // Block 0 is not used.
    this.#words = new Uint16Array((blocks + 1) * blockWords);
    for (let block = 1; block <= blocks; block += 1) this.#setNext(block, block === blocks ? 0 : block + 1);
    this.#free = blocks === 0 ? 0 : 1;
  }

  get bytes(): number {
    return this.#words.length * this.#words.BYTES_PER_ELEMENT;
  }

  /** No block is free. */
  get isFull(): boolean {
    return this.#free === 0;
  }

  next(block: number): number {
    return readInt(this.#words, block * blockWords + nextWord);
  }

  member(place: number): number {
    return readInt(this.#words, memberAt(place));
  }

  seen(place: number): number {
    return this.#words[seenAt(place)] as number;
  }

  put(place: number, member: number, seen: number): void {
    writeInt(this.#words, memberAt(place), member);
    this.#words[seenAt(place)] = seen;
  }

  /** Adds a member to the first block of a chain, or to a new block before it; returns the first block. Needs a free block. */
  add(first: number, member: number, seen: number): number {
    const end = (first + 1) * membersPerBlock;
    for (let place = first * membersPerBlock; first !== 0 && place < end; place += 1) {
      if (this.member(place) !== 0) continue;
      this.put(place, member, seen);
      return first;
    }
    const block = this.#free;
    this.#free = this.next(block);
    this.#setNext(block, first);
    this.put(block * membersPerBlock, member, seen);
    return block;
  }

  /**
   * Counts the other members of a chain that were seen since the bucket `day`, and since `hour`, and looks for a place for this one.
   * It reads the words itself: most of the time that a decision is counted goes into long chains.
   */
  count(first: number, member: number, since: WindowCounts, into: WindowCounts): CountedChain {
    const words = this.#words;
    const low = member & 0xffff;
    const high = member >>> 16;
    const { hour, day } = since;
    let found = -1;
    let free = -1;
    let length = 0;
    let ofHour = 0;
    let ofDay = 0;
    for (let block = first; block !== 0; block = this.next(block)) {
      length += 1;
      const start = block * blockWords;
      for (let index = 0; index < membersPerBlock; index += 1) {
        const storedLow = words[start + 2 * index];
        const storedHigh = words[start + 2 * index + 1];
        const seen = words[start + seenWord + index] as number;
        if (storedLow === low && storedHigh === high) found = block * membersPerBlock + index;
        else if (seen < day || (storedLow === 0 && storedHigh === 0)) free = block * membersPerBlock + index;
        else {
          ofDay += 1;
          if (seen >= hour) ofHour += 1;
        }
      }
    }
    into.hour += ofHour;
    into.day += ofDay;
    counted.place = found >= 0 ? found : free;
    counted.length = length;
    return counted;
  }

  /** Visits the members of a chain. */
  each(first: number, visit: (member: number, seen: number) => void): void {
    for (let block = first; block !== 0; block = this.next(block)) {
      for (let place = block * membersPerBlock; place < (block + 1) * membersPerBlock; place += 1) {
        const member = this.member(place);
        if (member !== 0) visit(member, this.seen(place));
      }
    }
  }

  /** Makes the blocks of a chain free. */
  releaseChain(first: number): void {
    for (let block = first; block !== 0; ) {
      const next = this.next(block);
      this.#release(block);
      block = next;
    }
  }

  #release(block: number): void {
    this.#words.fill(0, block * blockWords, (block + 1) * blockWords);
    this.#setNext(block, this.#free);
    this.#free = block;
  }

  #setNext(block: number, next: number): void {
    writeInt(this.#words, block * blockWords + nextWord, next);
  }
}

function memberAt(place: number): number {
  return (place >> 2) * blockWords + (place & 3) * 2;
}

function seenAt(place: number): number {
  return (place >> 2) * blockWords + seenWord + (place & 3);
}
