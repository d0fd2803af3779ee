import { type Hash, ownerGroupOf, ownerGroups } from './keyed-hash.ts';
import { LargeSet } from './large-set.ts';
import { baseBefore, dayBuckets, hourBuckets, storedBuckets, type WindowCounts } from './windows.ts';

/** The memory of all partitions, and what had to be evicted to stay within its limit. */
export interface Ledger {
  readonly limitBytes: number;
  readonly partitions: number;
  tableBytes: number;
  largeBytes: number;
  /** The bytes of large sets by the group of their owner. */
  readonly largeBytesBy: Float64Array;
  keys: number;
  evicted: number;
}

/** A state: the bucket of the key's latest member in 9 bits, how its members are stored in 2, and 5 bits of the key's hash. */
const seenMask = storedBuckets - 1;
const form = { single: 0, chain: 512, large: 1024 } as const;
const formMask = 1536;
const hashMask = 0xf800;

const maxLoad = 0.85;
/** The capacity of arrays in multiples of their content, so that they are rarely rebuilt: larger while there are few keys. */
const room = { few: 2, many: 1.15 } as const;
const fewBytes = 16_000_000;
/** When a partition has no room, this much of it is kept. */
const keptWhenFull = 7 / 8;
/** Keys with several members are evicted as if they had been used this many buckets later: a flood has keys with one. */
const severalBuckets = hourBuckets;

/**
 * A slot has its tag, which is zero in a free slot, its value (the only member, the first block of the chain, or the index of the
 * large set) and its state. What is read together is stored together: with an array for each, counting took twice as long.
 */
const slotWords = 5;
const valueWord = 2;
const stateWord = 4;
/** A block has four members, zero in a free place, the buckets in which they were last seen, and the next block; 0 ends a chain. */
const blockWords = 14;
const membersPerBlock = 4;
const seenWord = 8;
const nextWord = 12;
const bytesPerWord = 2;
/** A chain of more members becomes a large set: it is read from end to end. */
const maxChain = 128;

/** Where a chain has a member, else a free or expired place (-1 without either), and how many blocks it has. */
interface ChainScan {
  place: number;
  length: number;
}
const scan: ChainScan = { place: -1, length: 0 };
const ignoredCounts: WindowCounts = { hour: 0, day: 0 };

/**
 * A small open-addressing table from keys to their members. A key with one member takes 10 bytes; two to 128 members are in a chain of
 * blocks, more in a `LargeSet`. Each member has the bucket in which it was last seen, so one structure counts for every window.
 * Expired keys stay until the partition is rebuilt, which takes about a millisecond.
 */
export class Partition {
  readonly #ledger: Ledger;
  #base = 0;
  #capacity = 0;
  #slots = new Uint16Array(0);
  /** Block 0 is not used. */
  #blocks = new Uint16Array(0);
  #larges: LargeSet[] = [];
  #keys = 0;
  #freeBlock = 0;

  constructor(ledger: Ledger, now: number) {
    this.#ledger = ledger;
    this.#allocate(0, 0, now);
  }

  /** Adds a member to a key, or the bucket in which it was seen again. */
  add(key: Hash, member: number, bucket: number, now: number): void {
    if (this.#isFull() || Math.max(bucket, now) - this.#base >= storedBuckets) this.rebuild(now);
    this.#addAt(this.#slotOf(key), key, member, bucket, now, ignoredCounts);
  }

  /** Reads the counts of a key as if the member was seen now. */
  read(key: Hash, member: number, now: number, into: WindowCounts): void {
    if (now - this.#base >= storedBuckets) this.rebuild(now);
    into.hour = 1;
    into.day = 1;
    const at = this.#slotOf(key);
    if (readInt(this.#slots, at) === 0) return;
    const state = this.#slots[at + stateWord] as number;
    const value = readInt(this.#slots, at + valueWord);
    if ((state & formMask) === form.large) (this.#larges[value] as LargeSet).read(member, now, into);
    else if ((state & formMask) === form.chain) this.#scanChain(value, member, now, into);
    else if (value !== member) this.#countSeen(state & seenMask, now, into);
  }

  /** Adds a member that is seen now, and reads the counts with it. */
  count(key: Hash, member: number, now: number, into: WindowCounts): void {
    if (this.#isFull() || now - this.#base >= storedBuckets) this.rebuild(now);
    this.#addAt(this.#slotOf(key), key, member, now, now, into);
  }

  /** The counts are read before the member is added, as if it was seen now. */
  #addAt(at: number, key: Hash, member: number, bucket: number, now: number, into: WindowCounts): void {
    const slots = this.#slots;
    const seen = Math.max(0, bucket - this.#base);
    into.hour = 1;
    into.day = 1;
    if (readInt(slots, at) === 0) {
      writeInt(slots, at, tagOf(key));
      writeInt(slots, at + valueWord, member);
      slots[at + stateWord] = seen | form.single | (key.lo & hashMask);
      this.#keys += 1;
      this.#ledger.keys += 1;
      return;
    }
    const state = slots[at + stateWord] as number;
    const value = readInt(slots, at + valueWord);
    const latest = Math.max(seen, state & seenMask) | (state & ~seenMask);
    slots[at + stateWord] = latest;
    if ((state & formMask) === form.large) {
      const set = this.#larges[value] as LargeSet;
      set.read(member, now, into);
      this.#addToLarge(at, set, member, bucket, now);
    } else if ((state & formMask) === form.chain) {
      this.#scanChain(value, member, now, into);
      this.#addToChain(at, member, seen, now);
    } else if (value !== member) {
      this.#countSeen(state & seenMask, now, into);
      if ((state & seenMask) < now - dayBuckets - this.#base) {
        writeInt(slots, at + valueWord, member);
        return;
      }
      const block = this.#takeBlock(0);
      this.#put(block * membersPerBlock, value, state & seenMask);
      this.#put(block * membersPerBlock + 1, member, seen);
      writeInt(slots, at + valueWord, block);
      slots[at + stateWord] = latest | form.chain;
    }
  }

  /** Removes a member from a key, or the key with all its members. */
  remove(key: Hash, member: number | null, now: number): void {
    const at = this.#slotOf(key);
    if (readInt(this.#slots, at) === 0) return;
    const stored = (this.#slots[at + stateWord] as number) & formMask;
    const value = readInt(this.#slots, at + valueWord);
    if (member === null || (stored === form.single && value === member)) this.rebuild(now, at / slotWords);
    else if (stored === form.large) (this.#larges[value] as LargeSet).remove(member, now);
    else if (stored === form.chain) {
      this.#scanChain(value, member, now, ignoredCounts);
      if (scan.place >= 0 && readInt(this.#blocks, memberAt(scan.place)) === member) this.#put(scan.place, 0, 0);
    }
  }

  /** The slot of the large set used longest ago by a group of owners, and when; null without one. */
  stalestLarge(group: number): { readonly slot: number; readonly bucket: number } | null {
    let stalest: { slot: number; bucket: number } | null = null;
    for (let slot = 0; this.#larges.length > 0 && slot < this.#capacity; slot += 1) {
      const state = this.#stateOf(slot);
      if (!this.#isUsed(slot) || (state & formMask) !== form.large || this.#groupOf(slot) !== group) continue;
      const bucket = this.#base + (state & seenMask);
      if (stalest === null || bucket < stalest.bucket) stalest = { slot, bucket };
    }
    return stalest;
  }

  /** Drops what no window includes, the key of the removed slot, and keys of the owners with most where there is no room for all. */
  rebuild(now: number, removedSlot = -1): void {
    const { slots, blocks, larges } = { slots: this.#slots, blocks: this.#blocks, larges: this.#larges };
    const day = now - dayBuckets - this.#base;
    const shift = this.#base - (now - baseBefore);
    const needed = this.#blocksOfKept(day, removedSlot);
    this.#ledger.evicted += this.#evictToFit(needed);
    let keys = 0;
    let allBlocks = 0;
    for (const count of needed) {
      if (count < 0) continue;
      keys += 1;
      allBlocks += count;
    }
    this.#ledger.keys += keys - this.#keys;
    this.#allocate(keys, allBlocks, now);
    for (let slot = 0; slot < needed.length; slot += 1) {
      const from = slot * slotWords;
      const tag = readInt(slots, from);
      if (tag === 0) continue;
      const state = slots[from + stateWord] as number;
      const value = readInt(slots, from + valueWord);
      const stored = state & formMask;
      if ((needed[slot] as number) < 0) {
        if (stored === form.large) this.#grewLarge(ownerGroupOf(tag, state), -(larges[value] as LargeSet).bytes);
        continue;
      }
      const at = this.#freeSlotFor(tag);
      writeInt(this.#slots, at, tag);
      this.#slots[at + stateWord] = Math.max(0, (state & seenMask) + shift) | (state & ~seenMask);
      this.#keys += 1;
      if (stored === form.large)
        writeInt(this.#slots, at + valueWord, this.#larges.push(larges[value] as LargeSet) - 1);
      else if (stored === form.chain) this.#copyChain(at, blocks, value, day, shift);
      else writeInt(this.#slots, at + valueWord, value);
    }
  }

  #copyChain(at: number, from: Uint16Array, first: number, day: number, shift: number): void {
    for (let block = first; block !== 0; block = nextOf(from, block)) {
      for (let place = block * membersPerBlock; place < (block + 1) * membersPerBlock; place += 1) {
        const seen = from[seenAt(place)] as number;
        const member = readInt(from, memberAt(place));
        if (member !== 0 && seen >= day) this.#putInChain(at, member, Math.max(0, seen + shift));
      }
    }
  }

  /** Expects the scan of the chain. */
  #addToChain(at: number, member: number, seen: number, now: number): void {
    const { place, length } = scan;
    const blocks = this.#blocks;
    if (place >= 0) {
      const isKnown = readInt(blocks, memberAt(place)) === member;
      this.#put(place, member, isKnown ? Math.max(seen, blocks[seenAt(place)] as number) : seen);
    } else if (length * membersPerBlock < maxChain) this.#putInChain(at, member, seen);
    else this.#makeLarge(at, member, seen, now);
  }

  #makeLarge(at: number, member: number, seen: number, now: number): void {
    const blocks = this.#blocks;
    const set = new LargeSet(now);
    this.#grewLarge(this.#groupOf(at / slotWords), set.bytes);
    for (let block = readInt(this.#slots, at + valueWord); block !== 0; ) {
      for (let place = block * membersPerBlock; place < (block + 1) * membersPerBlock; place += 1) {
        const seenBucket = this.#base + (blocks[seenAt(place)] as number);
        this.#addToLarge(at, set, readInt(blocks, memberAt(place)), seenBucket, now);
        this.#put(place, 0, 0);
      }
      const next = nextOf(blocks, block);
      writeInt(blocks, block * blockWords + nextWord, this.#freeBlock);
      this.#freeBlock = block;
      block = next;
    }
    this.#addToLarge(at, set, member, this.#base + seen, now);
    writeInt(this.#slots, at + valueWord, this.#larges.push(set) - 1);
    this.#slots[at + stateWord] = ((this.#slots[at + stateWord] as number) & ~formMask) | form.large;
  }

  #addToLarge(at: number, set: LargeSet, member: number, bucket: number, now: number): void {
    const before = set.bytes;
    set.add(member, bucket, now);
    if (set.bytes !== before) this.#grewLarge(this.#groupOf(at / slotWords), set.bytes - before);
  }

  #grewLarge(group: number, bytes: number): void {
    this.#ledger.largeBytes += bytes;
    this.#ledger.largeBytesBy[group] = (this.#ledger.largeBytesBy[group] as number) + bytes;
  }

  /** Counts the other members of a chain, and looks for a place for this one. */
  #scanChain(first: number, member: number, now: number, into: WindowCounts): void {
    const blocks = this.#blocks;
    const day = now - dayBuckets - this.#base;
    let found = -1;
    let free = -1;
    let length = 0;
    for (let block = first; block !== 0; block = nextOf(blocks, block)) {
      length += 1;
      for (let place = block * membersPerBlock; place < (block + 1) * membersPerBlock; place += 1) {
        const stored = readInt(blocks, memberAt(place));
        const seen = blocks[seenAt(place)] as number;
        if (stored === member) found = place;
        else if (stored === 0 || seen < day) free = place;
        else this.#countSeen(seen, now, into);
      }
    }
    scan.place = found >= 0 ? found : free;
    scan.length = length;
  }

  #countSeen(seen: number, now: number, into: WindowCounts): void {
    if (seen >= now - hourBuckets - this.#base) into.hour += 1;
    if (seen >= now - dayBuckets - this.#base) into.day += 1;
  }

  /** Into a free place of the chain's first block, or into a new block before it. */
  #putInChain(at: number, member: number, seen: number): void {
    let block = readInt(this.#slots, at + valueWord);
    let place = block * membersPerBlock;
    const end = place + membersPerBlock;
    while (block !== 0 && place < end && readInt(this.#blocks, memberAt(place)) !== 0) place += 1;
    if (block === 0 || place === end) {
      block = this.#takeBlock(block);
      writeInt(this.#slots, at + valueWord, block);
      place = block * membersPerBlock;
    }
    this.#put(place, member, seen);
  }

  #put(place: number, member: number, seen: number): void {
    writeInt(this.#blocks, memberAt(place), member);
    this.#blocks[seenAt(place)] = seen;
  }

  #takeBlock(following: number): number {
    const block = this.#freeBlock;
    this.#freeBlock = nextOf(this.#blocks, block);
    writeInt(this.#blocks, block * blockWords + nextWord, following);
    return block;
  }

  /** There may be no slot or no block for the next member. */
  #isFull(): boolean {
    return this.#freeBlock === 0 || this.#keys + 1 > this.#capacity * maxLoad;
  }

  #isUsed(slot: number): boolean {
    return readInt(this.#slots, slot * slotWords) !== 0;
  }

  #stateOf(slot: number): number {
    return this.#slots[slot * slotWords + stateWord] as number;
  }

  /** The group of the owner of a slot's key. */
  #groupOf(slot: number): number {
    return ownerGroupOf(readInt(this.#slots, slot * slotWords), this.#stateOf(slot));
  }

  /** Where the slot of a key begins, or the free slot for it. */
  #slotOf(key: Hash): number {
    const slots = this.#slots;
    const tag = tagOf(key);
    for (let at = this.#positionOf(tag); ; at = this.#after(at)) {
      const found = readInt(slots, at);
      if (found === 0 || (found === tag && (((slots[at + stateWord] as number) ^ key.lo) & hashMask) === 0)) return at;
    }
  }

  #freeSlotFor(tag: number): number {
    let at = this.#positionOf(tag);
    while (readInt(this.#slots, at) !== 0) at = this.#after(at);
    return at;
  }

  #positionOf(tag: number): number {
    return Math.floor(((tag >>> 0) / 2 ** 32) * this.#capacity) * slotWords;
  }

  #after(at: number): number {
    return at + slotWords === this.#slots.length ? 0 : at + slotWords;
  }

  #allocate(keys: number, blocks: number, now: number): void {
    const ledger = this.#ledger;
    const isFew = ledger.tableBytes < Math.min(fewBytes, ledger.limitBytes / 4);
    const factor = isFew ? room.few : room.many;
    const blockCount = 1 + Math.ceil(blocks * factor) + 2;
    ledger.tableBytes -= (this.#slots.length + this.#blocks.length) * bytesPerWord;
    this.#capacity = Math.ceil((keys * factor) / maxLoad) + 4;
    this.#slots = new Uint16Array(this.#capacity * slotWords);
    this.#blocks = new Uint16Array(blockCount * blockWords);
    ledger.tableBytes += (this.#slots.length + this.#blocks.length) * bytesPerWord;
    for (let block = 1; block + 1 < blockCount; block += 1)
      writeInt(this.#blocks, block * blockWords + nextWord, block + 1);
    this.#larges = [];
    this.#freeBlock = 1;
    this.#keys = 0;
    this.#base = now - baseBefore;
  }

  /** For each slot the blocks that its key needs; -1 for a free slot and for a key that is dropped. */
  #blocksOfKept(day: number, removedSlot: number): Int16Array {
    const needed = new Int16Array(this.#capacity).fill(-1);
    for (let slot = 0; slot < needed.length; slot += 1) {
      const state = this.#stateOf(slot);
      if (!this.#isUsed(slot) || slot === removedSlot || (state & seenMask) < day) continue;
      let live = 0;
      if ((state & formMask) === form.chain) {
        const first = readInt(this.#slots, slot * slotWords + valueWord);
        for (let block = first; block !== 0; block = nextOf(this.#blocks, block)) {
          for (let place = block * membersPerBlock; place < (block + 1) * membersPerBlock; place += 1) {
            const isLive = (this.#blocks[seenAt(place)] as number) >= day;
            if (isLive && readInt(this.#blocks, memberAt(place)) !== 0) live += 1;
          }
        }
      }
      needed[slot] = Math.ceil(live / membersPerBlock);
    }
    return needed;
  }

  /** Marks keys as dropped where not all fit, so that no group of owners has more than the largest possible share; returns how many. */
  #evictToFit(needed: Int16Array): number {
    const most = (this.#ledger.limitBytes - this.#ledger.largeBytes) / this.#ledger.partitions;
    let bytes = 0;
    for (const blocks of needed) if (blocks >= 0) bytes += bytesOf(blocks);
    if (bytes <= most) return 0;
    const bytesBy = new Float64Array(ownerGroups);
    needed.forEach((blocks, slot) => {
      const group = this.#groupOf(slot);
      if (blocks >= 0) bytesBy[group] = (bytesBy[group] as number) + bytesOf(blocks);
    });
    const share = largestShare(bytesBy, most * keptWhenFull);
    const slotsBy = new Map<number, number[]>();
    bytesBy.forEach((ownBytes, group) => {
      if (ownBytes > share) slotsBy.set(group, []);
    });
    needed.forEach((blocks, slot) => {
      if (blocks >= 0) slotsBy.get(this.#groupOf(slot))?.push(slot);
    });
    let evicted = 0;
    // Keys are whole: what one group has too much of after its turn is left for the next.
    let excess = 0;
    for (const [group, slots] of slotsBy) {
      excess += (bytesBy[group] as number) - share;
      const dropped = this.#oldestOf(needed, slots, excess);
      for (const slot of dropped) {
        excess -= bytesOf(needed[slot] as number);
        needed[slot] = -1;
      }
      evicted += dropped.length;
    }
    return evicted;
  }

  /** Those of these slots that were used longest ago and take at most so many bytes together. */
  #oldestOf(needed: Int16Array, slots: readonly number[], mostBytes: number): number[] {
    const bytesBy = new Float64Array(storedBuckets + severalBuckets);
    const ageOf = (slot: number): number => {
      const state = this.#stateOf(slot);
      return (state & seenMask) + ((state & formMask) === form.single ? 0 : severalBuckets);
    };
    for (const slot of slots) bytesBy[ageOf(slot)] = (bytesBy[ageOf(slot)] as number) + bytesOf(needed[slot] as number);
    let bytes = mostBytes;
    let age = 0;
    while (age < bytesBy.length && (bytesBy[age] as number) <= bytes) {
      bytes -= bytesBy[age] as number;
      age += 1;
    }
    // Evenly over the slots of that age: otherwise the others would cluster.
    const share = bytes / (bytesBy[age] ?? 1);
    let due = 0;
    return slots.filter((slot) => {
      if (ageOf(slot) !== age) return ageOf(slot) < age;
      due += share;
      if (due < 1) return false;
      due -= 1;
      return true;
    });
  }
}

/** The bytes of a key with so many blocks. */
function bytesOf(blocks: number): number {
  return (slotWords / maxLoad + blocks * blockWords) * bytesPerWord * room.many;
}

/** The largest number to which amounts must be cut so that their sum is at most `target` (max-min fairness). */
function largestShare(amounts: Float64Array, target: number): number {
  let left = target;
  const ascending = amounts.toSorted();
  for (const [index, amount] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (amount > share) return share;
    left -= amount;
  }
  return target;
}

function readInt(words: Uint16Array, at: number): number {
  return (words[at] as number) | ((words[at + 1] as number) << 16);
}

function writeInt(words: Uint16Array, at: number, value: number): void {
  words[at] = value;
  words[at + 1] = value >>> 16;
}

function memberAt(place: number): number {
  return (place >> 2) * blockWords + (place & 3) * 2;
}

function seenAt(place: number): number {
  return (place >> 2) * blockWords + seenWord + (place & 3);
}

function nextOf(blocks: Uint16Array, block: number): number {
  return readInt(blocks, block * blockWords + nextWord);
}

function tagOf({ hi }: Hash): number {
  return hi === 0 ? 1 : hi;
}
