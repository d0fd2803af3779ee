import { chooseEvicted, type Evictable } from './fair-eviction.ts';
import { form, KeySlots, keyBytes } from './key-slots.ts';
import type { Hash } from './keyed-hash.ts';
import { LargeSet } from './large-set.ts';
import type { Ledger } from './ledger.ts';
import { blockBytes, type CountedChain, MemberBlocks, membersPerBlock } from './member-blocks.ts';
import { baseBefore, dayBuckets, hourBuckets, storedBuckets, type WindowCounts } from './windows.ts';

/** The capacity of arrays in multiples of their content, so that they are rarely rebuilt: larger while there are few keys. */
const room = { few: 2, many: 1.15 } as const;
const fewBytes = 16_000_000;
/** When a partition is full, this share of it is kept. */
const keptWhenFull = 7 / 8;
/** Keys with several members are evicted as if they had been used this many buckets later: a flood has keys with one. */
const severalBuckets = hourBuckets;
/** A chain of more members becomes a large set: it is read from end to end. */
const maxChain = 128;

/** The first buckets of the windows; overwritten by the next count. */
const since: WindowCounts = { hour: 0, day: 0 };
const ignoredCounts: WindowCounts = { hour: 0, day: 0 };

/**
 * The keys of one part of the hashes, with their members. A key with one member takes 10 bytes; two to 128 members are in a chain of
 * blocks, more in a `LargeSet`. Each member has the bucket in which it was last seen, so one structure counts for every window.
 * Expired keys stay until the partition is rebuilt, which takes about a millisecond.
 */
export class Partition {
  readonly #ledger: Ledger;
  /** Buckets are stored relative to this one. */
  #base = 0;
  #slots = new KeySlots(0);
  #blocks = new MemberBlocks(0);
  #larges: LargeSet[] = [];

  constructor(ledger: Ledger, now: number) {
    this.#ledger = ledger;
    ledger.tableBytes += this.#slots.bytes + this.#blocks.bytes;
    this.#allocate(0, 0, now);
  }

  /** Adds a member to a key, or the bucket in which it was seen again. */
  add(key: Hash, member: number, bucket: number, now: number): void {
    this.#makeRoom(Math.max(bucket, now), now);
    this.#add(key, member, bucket, now, ignoredCounts);
  }

  /** Adds a member that is seen now, and reads the counts with it. */
  count(key: Hash, member: number, now: number, into: WindowCounts): void {
    this.#makeRoom(now, now);
    this.#add(key, member, now, now, into);
  }

  /** Reads the counts of a key as if the member was seen now. */
  read(key: Hash, member: number, now: number, into: WindowCounts): void {
    if (now - this.#base >= storedBuckets) this.rebuild(now);
    into.hour = 1;
    into.day = 1;
    const slot = this.#slots.find(key);
    if (!this.#slots.isUsed(slot)) return;
    const stored = this.#slots.form(slot);
    const value = this.#slots.value(slot);
    if (stored === form.large) this.#large(value).read(member, now, into);
    else if (stored === form.chain) this.#scanChain(value, member, now, into);
    else if (value !== member) this.#countSeen(this.#slots.seen(slot), now, into);
  }

  /** Removes a member from a key, or the key with all its members. */
  remove(key: Hash, member: number | null, now: number): void {
    const slot = this.#slots.find(key);
    if (!this.#slots.isUsed(slot)) return;
    const stored = this.#slots.form(slot);
    const value = this.#slots.value(slot);
    if (member === null || (stored === form.single && value === member)) this.rebuild(now, slot);
    else if (stored === form.large) this.#large(value).remove(member, now);
    else if (stored === form.chain) {
      const { place } = this.#scanChain(value, member, now, ignoredCounts);
      if (place >= 0 && this.#blocks.member(place) === member) this.#blocks.put(place, 0, 0);
    }
  }

  /** A group of owners' least recently used large set: its slot, and when it was used; null without one. */
  stalestLarge(group: number): { readonly slot: number; readonly bucket: number } | null {
    const slots = this.#slots;
    let stalest: { slot: number; bucket: number } | null = null;
    for (let slot = 0; this.#larges.length > 0 && slot < slots.capacity; slot += 1) {
      if (!slots.isUsed(slot) || slots.form(slot) !== form.large || slots.groupOf(slot) !== group) continue;
      const bucket = this.#base + slots.seen(slot);
      if (stalest === null || bucket < stalest.bucket) stalest = { slot, bucket };
    }
    return stalest;
  }

  /** Drops expired members, the key of the removed slot, and, if there is no room for all, keys of the largest owners. */
  rebuild(now: number, removedSlot = -1): void {
    const [slots, blocks, larges] = [this.#slots, this.#blocks, this.#larges];
    const day = now - dayBuckets - this.#base;
    const shift = this.#base - (now - baseBefore);
    const needed = this.#blocksOfKept(day, removedSlot);
    this.#evictToFit(needed);
    let keys = 0;
    let blockCount = 0;
    for (const count of needed) {
      if (count < 0) continue;
      keys += 1;
      blockCount += count;
    }
    this.#ledger.keys += keys - slots.used;
    this.#allocate(keys, blockCount, now);
    for (let slot = 0; slot < needed.length; slot += 1) {
      if (!slots.isUsed(slot)) continue;
      const stored = slots.form(slot);
      const value = slots.value(slot);
      if ((needed[slot] as number) < 0) {
        if (stored === form.large) this.#grewLarge(slots.groupOf(slot), -(larges[value] as LargeSet).bytes);
        continue;
      }
      const to = this.#slots.takeFrom(slots, slot, Math.max(0, slots.seen(slot) + shift));
      if (stored === form.large) this.#slots.setValue(to, this.#larges.push(larges[value] as LargeSet) - 1);
      else if (stored === form.chain) this.#slots.setValue(to, this.#copyChain(blocks, value, day, shift));
      else this.#slots.setValue(to, value);
    }
  }

  #makeRoom(latest: number, now: number): void {
    if (this.#blocks.isFull || this.#slots.isFull || latest - this.#base >= storedBuckets) this.rebuild(now);
  }

  /** The counts are read before the member is added, as if it was seen now. */
  #add(key: Hash, member: number, bucket: number, now: number, into: WindowCounts): void {
    const slots = this.#slots;
    const slot = slots.find(key);
    const seen = Math.max(0, bucket - this.#base);
    into.hour = 1;
    into.day = 1;
    if (!slots.isUsed(slot)) {
      slots.take(slot, key, member, seen);
      this.#ledger.keys += 1;
      return;
    }
    const stored = slots.form(slot);
    const value = slots.value(slot);
    const seenBefore = slots.seen(slot);
    if (seen > seenBefore) slots.setSeen(slot, seen);
    if (stored === form.large) {
      this.#large(value).read(member, now, into);
      this.#addToLarge(slot, this.#large(value), member, bucket, now);
    } else if (stored === form.chain) {
      const { place, length } = this.#scanChain(value, member, now, into);
      if (place >= 0) this.#putInChain(place, member, seen);
      else this.#addToChain(slot, length, member, bucket, now);
    } else if (value !== member) {
      this.#countSeen(seenBefore, now, into);
      if (seenBefore < now - dayBuckets - this.#base) slots.setValue(slot, member);
      else {
        const block = this.#blocks.add(0, value, seenBefore);
        slots.setValue(slot, this.#blocks.add(block, member, seen));
        slots.setForm(slot, form.chain);
      }
    }
  }

  #putInChain(place: number, member: number, seen: number): void {
    const isKnown = this.#blocks.member(place) === member;
    this.#blocks.put(place, member, isKnown ? Math.max(seen, this.#blocks.seen(place)) : seen);
  }

  /** Adds a member to a chain of so many full blocks. */
  #addToChain(slot: number, length: number, member: number, bucket: number, now: number): void {
    const first = this.#slots.value(slot);
    const seen = Math.max(0, bucket - this.#base);
    if (length * membersPerBlock < maxChain) this.#slots.setValue(slot, this.#blocks.add(first, member, seen));
    else this.#addToLarge(slot, this.#makeLarge(slot, first, now), member, this.#base + seen, now);
  }

  /** Turns a chain into a large set. */
  #makeLarge(slot: number, first: number, now: number): LargeSet {
    const set = new LargeSet(now);
    this.#grewLarge(this.#slots.groupOf(slot), set.bytes);
    this.#blocks.each(first, (member, seen) => this.#addToLarge(slot, set, member, this.#base + seen, now));
    this.#blocks.releaseChain(first);
    this.#slots.setValue(slot, this.#larges.push(set) - 1);
    this.#slots.setForm(slot, form.large);
    return set;
  }

  #large(index: number): LargeSet {
    return this.#larges[index] as LargeSet;
  }

  #addToLarge(slot: number, set: LargeSet, member: number, bucket: number, now: number): void {
    const before = set.bytes;
    set.add(member, bucket, now);
    if (set.bytes !== before) this.#grewLarge(this.#slots.groupOf(slot), set.bytes - before);
  }

  #grewLarge(group: number, bytes: number): void {
    this.#ledger.largeBytes += bytes;
    this.#ledger.largeBytesBy[group] = (this.#ledger.largeBytesBy[group] as number) + bytes;
  }

  /** Counts the other members of a chain, and looks for a place for this one. */
  #scanChain(first: number, member: number, now: number, into: WindowCounts): CountedChain {
    since.hour = now - hourBuckets - this.#base;
    since.day = now - dayBuckets - this.#base;
    return this.#blocks.count(first, member, since, into);
  }

  #countSeen(seen: number, now: number, into: WindowCounts): void {
    if (seen >= now - hourBuckets - this.#base) into.hour += 1;
    if (seen >= now - dayBuckets - this.#base) into.day += 1;
  }

  /** Copies the members of a chain that a window includes; returns the copy. */
  #copyChain(from: MemberBlocks, first: number, day: number, shift: number): number {
    let copy = 0;
    from.each(first, (member, seen) => {
      if (seen >= day) copy = this.#blocks.add(copy, member, Math.max(0, seen + shift));
    });
    return copy;
  }

  #allocate(keys: number, blocks: number, now: number): void {
    const ledger = this.#ledger;
    const isFew = ledger.tableBytes < Math.min(fewBytes, ledger.limitBytes / 4);
    const factor = isFew ? room.few : room.many;
    ledger.tableBytes -= this.#slots.bytes + this.#blocks.bytes;
    this.#slots = new KeySlots(keys * factor);
    this.#blocks = new MemberBlocks(Math.ceil(blocks * factor) + 2);
    ledger.tableBytes += this.#slots.bytes + this.#blocks.bytes;
    this.#larges = [];
    this.#base = now - baseBefore;
  }

  /** For each slot the number of blocks that its key needs; -1 for a free slot and for a dropped key. */
  #blocksOfKept(day: number, removedSlot: number): Int16Array {
    const slots = this.#slots;
    const needed = new Int16Array(slots.capacity).fill(-1);
    for (let slot = 0; slot < needed.length; slot += 1) {
      if (!slots.isUsed(slot) || slot === removedSlot || slots.seen(slot) < day) continue;
      let live = 0;
      if (slots.form(slot) === form.chain) {
        this.#blocks.each(slots.value(slot), (_, seen) => {
          if (seen >= day) live += 1;
        });
      }
      needed[slot] = Math.ceil(live / membersPerBlock);
    }
    return needed;
  }

  /** Marks keys as dropped where not all fit. */
  #evictToFit(needed: Int16Array): void {
    const ledger = this.#ledger;
    const maxBytes = (ledger.limitBytes - ledger.largeBytes) / ledger.partitions;
    let bytes = 0;
    for (const blocks of needed) if (blocks >= 0) bytes += bytesOf(blocks);
    if (bytes <= maxBytes) return;
    for (const { slot } of chooseEvicted(this.#evictables(needed), maxBytes * keptWhenFull)) {
      needed[slot] = -1;
      ledger.evicted += 1;
    }
  }

  #evictables(needed: Int16Array): Evictable[] {
    const slots = this.#slots;
    const keys: Evictable[] = [];
    needed.forEach((blocks, slot) => {
      if (blocks < 0) return;
      const usedAt = slots.seen(slot) + (slots.form(slot) === form.single ? 0 : severalBuckets);
      keys.push({ slot, bytes: bytesOf(blocks), group: slots.groupOf(slot), usedAt });
    });
    return keys;
  }
}

/** The bytes of a key with so many blocks. */
function bytesOf(blocks: number): number {
  return (keyBytes + blocks * blockBytes) * room.many;
}
