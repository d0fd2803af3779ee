import type { Hash } from './keyed-hash.ts';
import { LargeSet } from './large-set.ts';
import { baseBefore, dayBuckets, hourBuckets, storedBuckets, type WindowCounts } from './windows.ts';

/** The memory of all partitions, and what had to be evicted to stay within its limit. */
export interface Ledger {
  readonly limitBytes: number;
  readonly partitions: number;
  tableBytes: number;
  largeBytes: number;
  keys: number;
  evicted: number;
}

/** A state: the bucket of the key's latest member in 9 bits, how its members are stored in 2, and 5 further bits of the key's hash. */
const seenMask = storedBuckets - 1;
const form = { single: 0, chain: 512, large: 1024 } as const;
const formMask = 1536;
const hashMask = 0xf800;

const maxLoad = 0.85;
/** Arrays are made for so many times what is in them, so that they are not made again too often. */
const room = 1.15;
const slotBytes = 10;
const membersPerBlock = 4;
const blockBytes = membersPerBlock * 6 + 4;
/** A chain of more members becomes a large set: it is read from end to end. */
const maxChain = 128;
/** When a partition has no room, this much of it is kept. */
const keptWhenFull = 7 / 8;
/** Keys with several members are evicted as if they had been used so many buckets later: a flood has keys with one. */
const severalBuckets = hourBuckets;

/** The arrays of a partition, all replaced when it is rebuilt. */
interface Arrays {
  /** Zero in a free slot. */
  readonly tags: Int32Array;
  /** The only member, the first block of the chain, or the index of the large set. */
  readonly values: Int32Array;
  readonly states: Uint16Array;
  /** Four in each block; zero in a free place. Block 0 is not used. */
  readonly members: Int32Array;
  readonly seen: Uint16Array;
  /** The next block of the chain, or of the free ones; 0 ends both. */
  readonly next: Int32Array;
  readonly larges: LargeSet[];
}

/**
 * A small open-addressing table from keys to their members. A key with one member takes 10 bytes; two to 128 members are in a chain of
 * blocks, more in a `LargeSet`. Each member has the bucket in which it was last seen, so one structure counts for every window.
 * Expired keys stay until the partition is rebuilt, which takes about a millisecond.
 */
export class Partition {
  readonly #ledger: Ledger;
  #base = 0;
  #arrays: Arrays = emptyArrays;
  #keys = 0;
  #freeBlock = 0;

  constructor(ledger: Ledger, now: number) {
    this.#ledger = ledger;
    this.#allocate(0, 0, now);
  }

  /** Adds a member to a key, or the bucket in which it was seen again. */
  add(key: Hash, member: number, bucket: number, now: number): void {
    if (this.#isFull() || Math.max(bucket, now) - this.#base >= storedBuckets) this.rebuild(now);
    this.#addAt(this.#slotOf(key), key, member, bucket, now);
  }

  /** Reads the counts of a key as if the member was seen now. */
  read(key: Hash, member: number, now: number, into: WindowCounts): void {
    if (now - this.#base >= storedBuckets) this.rebuild(now);
    this.#readAt(this.#slotOf(key), member, now, into);
  }

  /** Adds a member that is seen now, and reads the counts with it. */
  count(key: Hash, member: number, now: number, into: WindowCounts): void {
    if (this.#isFull() || now - this.#base >= storedBuckets) this.rebuild(now);
    const slot = this.#slotOf(key);
    this.#readAt(slot, member, now, into);
    this.#addAt(slot, key, member, now, now);
  }

  #addAt(slot: number, key: Hash, member: number, bucket: number, now: number): void {
    const { tags, values, states, larges } = this.#arrays;
    const seen = Math.max(0, bucket - this.#base);
    if (tags[slot] === 0) {
      tags[slot] = tagOf(key);
      values[slot] = member;
      states[slot] = seen | form.single | (key.lo & hashMask);
      this.#keys += 1;
      this.#ledger.keys += 1;
      return;
    }
    const state = states[slot] as number;
    const latest = Math.max(seen, state & seenMask) | (state & ~seenMask);
    states[slot] = latest;
    if ((state & formMask) === form.large) {
      this.#addToLarge(larges[values[slot] as number] as LargeSet, member, bucket, now);
    } else if ((state & formMask) === form.chain) this.#addToChain(slot, member, seen, now);
    else if (values[slot] !== member) {
      if ((state & seenMask) < now - dayBuckets - this.#base) values[slot] = member;
      else {
        const block = this.#takeBlock(0);
        this.#put(block * membersPerBlock, values[slot] as number, state & seenMask);
        this.#put(block * membersPerBlock + 1, member, seen);
        values[slot] = block;
        states[slot] = latest | form.chain;
      }
    }
  }

  #readAt(slot: number, member: number, now: number, into: WindowCounts): void {
    const { tags, values, states, larges } = this.#arrays;
    into.hour = 1;
    into.day = 1;
    if (tags[slot] === 0) return;
    const state = states[slot] as number;
    const value = values[slot] as number;
    if ((state & formMask) === form.large) (larges[value] as LargeSet).read(member, now, into);
    else if ((state & formMask) === form.chain) this.#readChain(value, member, now, into);
    else if (value !== member) this.#countSeen(state & seenMask, now, into);
  }

  /** Removes a member from a key, or the key with all its members. */
  remove(key: Hash, member: number | null, now: number): void {
    const { tags, values, states, members, larges } = this.#arrays;
    const slot = this.#slotOf(key);
    if (tags[slot] === 0) return;
    const stored = (states[slot] as number) & formMask;
    if (member === null || (stored === form.single && values[slot] === member)) this.rebuild(now, slot);
    else if (stored === form.large) (larges[values[slot] as number] as LargeSet).remove(member, now);
    else if (stored === form.chain) {
      const place = this.#placeIn(values[slot] as number, member, Number.NEGATIVE_INFINITY);
      if (place >= 0 && members[place] === member) members[place] = 0;
    }
  }

  /** The slot of the large set used longest ago, and when; null without one. */
  stalestLarge(): { readonly slot: number; readonly bucket: number } | null {
    const { tags, states, larges } = this.#arrays;
    let stalest: { slot: number; bucket: number } | null = null;
    for (let slot = 0; larges.length > 0 && slot < tags.length; slot += 1) {
      const state = states[slot] as number;
      if (tags[slot] === 0 || (state & formMask) !== form.large) continue;
      const bucket = this.#base + (state & seenMask);
      if (stalest === null || bucket < stalest.bucket) stalest = { slot, bucket };
    }
    return stalest;
  }

  /** Drops what no window includes, the key of the removed slot, and the keys used longest ago where there is no room for all. */
  rebuild(now: number, removedSlot = -1): void {
    const old = this.#arrays;
    const day = now - dayBuckets - this.#base;
    const shift = this.#base - (now - baseBefore);
    const blocks = blocksOfKept(old, day, removedSlot);
    this.#ledger.evicted += evictToFit(old, blocks, this.#mostBytes() * keptWhenFull, this.#mostBytes());
    let keys = 0;
    let allBlocks = 0;
    for (let slot = 0; slot < blocks.length; slot += 1) {
      if ((blocks[slot] as number) < 0) continue;
      keys += 1;
      allBlocks += blocks[slot] as number;
    }
    this.#ledger.keys += keys - this.#keys;
    this.#allocate(keys, allBlocks, now);
    for (let from = 0; from < old.tags.length; from += 1) {
      if ((blocks[from] as number) >= 0) this.#copyKey(old, from, day, shift);
      else if (old.tags[from] !== 0 && ((old.states[from] as number) & formMask) === form.large)
        this.#ledger.largeBytes -= (old.larges[old.values[from] as number] as LargeSet).bytes;
    }
  }

  #copyKey(old: Arrays, from: number, day: number, shift: number): void {
    const { tags, values, states, larges } = this.#arrays;
    const state = old.states[from] as number;
    const value = old.values[from] as number;
    const tag = old.tags[from] as number;
    let slot = positionOf(tag, tags.length);
    while (tags[slot] !== 0) slot = slot + 1 === tags.length ? 0 : slot + 1;
    tags[slot] = tag;
    states[slot] = Math.max(0, (state & seenMask) + shift) | (state & ~seenMask);
    values[slot] = value;
    this.#keys += 1;
    if ((state & formMask) === form.large) values[slot] = larges.push(old.larges[value] as LargeSet) - 1;
    else if ((state & formMask) === form.chain) {
      values[slot] = 0;
      for (let block = value; block !== 0; block = old.next[block] as number) {
        const end = (block + 1) * membersPerBlock;
        for (let place = block * membersPerBlock; place < end; place += 1) {
          const seen = old.seen[place] as number;
          if (old.members[place] !== 0 && seen >= day)
            this.#putInChain(slot, old.members[place] as number, Math.max(0, seen + shift));
        }
      }
    }
  }

  #addToChain(slot: number, member: number, seen: number, now: number): void {
    const { values, states, members, seen: lastSeen, larges } = this.#arrays;
    const first = values[slot] as number;
    const day = now - dayBuckets - this.#base;
    const place = this.#placeIn(first, member, day);
    if (place >= 0) {
      this.#put(place, member, members[place] === member ? Math.max(seen, lastSeen[place] as number) : seen);
      return;
    }
    if (this.#lengthOf(first) * membersPerBlock < maxChain) {
      this.#putInChain(slot, member, seen);
      return;
    }
    const set = new LargeSet(now);
    this.#ledger.largeBytes += set.bytes;
    for (let block = first; block !== 0; ) {
      const end = (block + 1) * membersPerBlock;
      for (let from = block * membersPerBlock; from < end; from += 1)
        this.#addToLarge(set, members[from] as number, this.#base + (lastSeen[from] as number), now);
      const next = this.#arrays.next[block] as number;
      this.#freeBlockAt(block);
      block = next;
    }
    this.#addToLarge(set, member, this.#base + seen, now);
    values[slot] = larges.push(set) - 1;
    states[slot] = ((states[slot] as number) & ~formMask) | form.large;
  }

  #addToLarge(set: LargeSet, member: number, bucket: number, now: number): void {
    const before = set.bytes;
    set.add(member, bucket, now);
    this.#ledger.largeBytes += set.bytes - before;
  }

  #readChain(first: number, member: number, now: number, into: WindowCounts): void {
    const { members, seen, next } = this.#arrays;
    for (let block = first; block !== 0; block = next[block] as number) {
      const end = (block + 1) * membersPerBlock;
      for (let place = block * membersPerBlock; place < end; place += 1) {
        if (members[place] !== 0 && members[place] !== member) this.#countSeen(seen[place] as number, now, into);
      }
    }
  }

  #countSeen(seen: number, now: number, into: WindowCounts): void {
    if (seen >= now - hourBuckets - this.#base) into.hour += 1;
    if (seen >= now - dayBuckets - this.#base) into.day += 1;
  }

  /** Where a chain has the member, else a place that is free or expired; -1 when there is neither. */
  #placeIn(first: number, member: number, day: number): number {
    const { members, seen, next } = this.#arrays;
    let free = -1;
    for (let block = first; block !== 0; block = next[block] as number) {
      const end = (block + 1) * membersPerBlock;
      for (let place = block * membersPerBlock; place < end; place += 1) {
        if (members[place] === member) return place;
        if (free < 0 && (members[place] === 0 || (seen[place] as number) < day)) free = place;
      }
    }
    return free;
  }

  #lengthOf(first: number): number {
    let length = 0;
    for (let block = first; block !== 0; block = this.#arrays.next[block] as number) length += 1;
    return length;
  }

  /** Into a free place of the chain's first block, or into a new block before it. */
  #putInChain(slot: number, member: number, seen: number): void {
    const { values, members } = this.#arrays;
    let block = values[slot] as number;
    let place = block * membersPerBlock;
    const end = place + membersPerBlock;
    while (block !== 0 && place < end && members[place] !== 0) place += 1;
    if (block === 0 || place === end) {
      block = this.#takeBlock(block);
      values[slot] = block;
      place = block * membersPerBlock;
    }
    this.#put(place, member, seen);
  }

  #put(place: number, member: number, seen: number): void {
    this.#arrays.members[place] = member;
    this.#arrays.seen[place] = seen;
  }

  #takeBlock(following: number): number {
    const { next } = this.#arrays;
    const block = this.#freeBlock;
    this.#freeBlock = next[block] as number;
    next[block] = following;
    return block;
  }

  #freeBlockAt(block: number): void {
    const start = block * membersPerBlock;
    this.#arrays.members.fill(0, start, start + membersPerBlock);
    this.#arrays.next[block] = this.#freeBlock;
    this.#freeBlock = block;
  }

  /** There may be no slot or no block for the next member. */
  #isFull(): boolean {
    return this.#freeBlock === 0 || this.#keys + 1 > this.#arrays.tags.length * maxLoad;
  }

  #mostBytes(): number {
    return (this.#ledger.limitBytes - this.#ledger.largeBytes) / this.#ledger.partitions;
  }

  #slotOf(key: Hash): number {
    const { tags, states } = this.#arrays;
    const tag = tagOf(key);
    let slot = positionOf(tag, tags.length);
    for (;;) {
      const found = tags[slot];
      if (found === 0 || (found === tag && (((states[slot] as number) ^ key.lo) & hashMask) === 0)) return slot;
      slot = slot + 1 === tags.length ? 0 : slot + 1;
    }
  }

  #allocate(keys: number, blocks: number, now: number): void {
    const capacity = slotsFor(keys);
    const blockCount = 1 + blocksFor(blocks);
    const next = new Int32Array(blockCount);
    for (let block = 1; block + 1 < blockCount; block += 1) next[block] = block + 1;
    this.#ledger.tableBytes -= bytesOf(this.#arrays);
    this.#arrays = {
      tags: new Int32Array(capacity),
      values: new Int32Array(capacity),
      states: new Uint16Array(capacity),
      members: new Int32Array(blockCount * membersPerBlock),
      seen: new Uint16Array(blockCount * membersPerBlock),
      next,
      larges: [],
    };
    this.#ledger.tableBytes += bytesOf(this.#arrays);
    this.#freeBlock = 1;
    this.#keys = 0;
    this.#base = now - baseBefore;
  }
}

const emptyArrays: Arrays = {
  tags: new Int32Array(0),
  values: new Int32Array(0),
  states: new Uint16Array(0),
  members: new Int32Array(0),
  seen: new Uint16Array(0),
  next: new Int32Array(0),
  larges: [],
};

function bytesOf({ tags, next }: Arrays): number {
  return tags.length * slotBytes + next.length * blockBytes;
}

function slotsFor(keys: number): number {
  return Math.ceil((keys * room) / maxLoad) + 4;
}

function blocksFor(blocks: number): number {
  return Math.ceil(blocks * room) + 2;
}

function tagOf({ hi }: Hash): number {
  return hi === 0 ? 1 : hi;
}

function positionOf(tag: number, capacity: number): number {
  return Math.floor(((tag >>> 0) / 2 ** 32) * capacity);
}

/** For each slot the blocks that its key needs; -1 for a free slot and for a key that is dropped. */
function blocksOfKept(
  { tags, values, states, members, seen, next }: Arrays,
  day: number,
  removedSlot: number,
): Int16Array {
  const blocks = new Int16Array(tags.length).fill(-1);
  for (let slot = 0; slot < tags.length; slot += 1) {
    const state = states[slot] as number;
    if (tags[slot] === 0 || slot === removedSlot || (state & seenMask) < day) continue;
    let live = 0;
    if ((state & formMask) === form.chain) {
      for (let block = values[slot] as number; block !== 0; block = next[block] as number) {
        const end = (block + 1) * membersPerBlock;
        for (let place = block * membersPerBlock; place < end; place += 1)
          if (members[place] !== 0 && (seen[place] as number) >= day) live += 1;
      }
    }
    blocks[slot] = Math.ceil(live / membersPerBlock);
  }
  return blocks;
}

/** Marks keys as dropped, those used longest ago first, until the rest takes `target` bytes; none while all take `most` or less. */
function evictToFit({ tags, states }: Arrays, blocks: Int16Array, target: number, most: number): number {
  const bytesBy = new Float64Array(storedBuckets + severalBuckets);
  const bytesIn = (slot: number): number => (slotBytes / maxLoad + (blocks[slot] as number) * blockBytes) * room;
  const ageOf = (slot: number): number => {
    const state = states[slot] as number;
    return (state & seenMask) + ((state & formMask) === form.single ? 0 : severalBuckets);
  };
  let bytes = 0;
  for (let slot = 0; slot < tags.length; slot += 1) {
    if ((blocks[slot] as number) < 0) continue;
    bytes += bytesIn(slot);
    bytesBy[ageOf(slot)] = (bytesBy[ageOf(slot)] as number) + bytesIn(slot);
  }
  if (bytes <= most) return 0;
  let age = 0;
  while (bytes - (bytesBy[age] as number) > target) {
    bytes -= bytesBy[age] as number;
    age += 1;
  }
  // Evenly over the slots: otherwise the others would cluster.
  const share = (bytes - target) / (bytesBy[age] as number);
  let due = 0;
  let evicted = 0;
  for (let slot = 0; slot < tags.length; slot += 1) {
    if ((blocks[slot] as number) < 0 || ageOf(slot) > age) continue;
    if (ageOf(slot) === age) {
      due += share;
      if (due < 1) continue;
      due -= 1;
    }
    blocks[slot] = -1;
    evicted += 1;
  }
  return evicted;
}
