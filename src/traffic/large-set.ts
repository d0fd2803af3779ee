import { baseBefore, dayBuckets, hourBuckets, storedBuckets, type WindowCounts } from './windows.ts';

/** Larger counts are reported as this one. */
export const maxCount = 10_000;

const maxLoad = 0.75;
/** The capacity of a set in multiples of its members, so that it is rarely rebuilt. */
const room = 1.2;
const minCapacity = 16;

/** Bytes of a set besides its members: the histogram and the objects. */
const fixedBytes = storedBuckets * 2 + 400;
const memberBytes = 6;

/**
 * The members of a key that has many. Each has the bucket in which it was last seen; a histogram over the buckets makes counting
 * independent of their number. Beyond `maxCount` members the set drops the least recently seen, which changes no count: while one of
 * them would be in a window, `maxCount` others are.
 */
export class LargeSet {
  #members = new Int32Array(0);
  #seen = new Uint16Array(0);
  #histogram = new Uint16Array(storedBuckets);
  #size = 0;
  #base: number;
  /** The bucket of the two counts below. */
  #now = -1;
  #hour = 0;
  #day = 0;

  constructor(now: number) {
    this.#base = now - baseBefore;
    this.#allocate(0);
  }

  get bytes(): number {
    return this.#members.length * memberBytes + fixedBytes;
  }

  /** Adds a member, or the bucket in which it was seen again. */
  add(member: number, bucket: number, now: number): void {
    if (Math.max(bucket, now) - this.#base >= storedBuckets || this.#isFull()) this.#rebuild(now, 0);
    this.#advance(now);
    const seen = Math.max(0, bucket - this.#base);
    const slot = this.#slotOf(member);
    if (this.#members[slot] !== member) {
      this.#members[slot] = member;
      this.#size += 1;
    } else {
      const before = this.#seen[slot] as number;
      if (before >= seen) return;
      this.#count(before, -1);
    }
    this.#seen[slot] = seen;
    this.#count(seen, 1);
  }

  /** Reads the counts as if the member was seen now. */
  read(member: number, now: number, into: WindowCounts): void {
    if (now - this.#base >= storedBuckets) this.#rebuild(now, 0);
    this.#advance(now);
    const slot = this.#slotOf(member);
    const seen = this.#members[slot] === member ? (this.#seen[slot] as number) : -1;
    into.hour = Math.min(maxCount, this.#hour + (seen >= 0 && this.#isSince(seen, hourBuckets) ? 0 : 1));
    into.day = Math.min(maxCount, this.#day + (seen >= 0 && this.#isSince(seen, dayBuckets) ? 0 : 1));
  }

  remove(member: number, now: number): void {
    this.#rebuild(now, member);
  }

  #isFull(): boolean {
    return this.#size + 1 > this.#members.length * maxLoad;
  }

  #isSince(seen: number, buckets: number): boolean {
    return seen >= this.#now - buckets - this.#base;
  }

  #count(seen: number, change: 1 | -1): void {
    this.#histogram[seen] = (this.#histogram[seen] as number) + change;
    if (this.#isSince(seen, dayBuckets)) this.#day += change;
    if (this.#isSince(seen, hourBuckets)) this.#hour += change;
  }

  #advance(now: number): void {
    if (this.#now === now) return;
    this.#now = now;
    this.#hour = this.#sumSince(now - hourBuckets);
    this.#day = this.#sumSince(now - dayBuckets);
  }

  #sumSince(bucket: number): number {
    let sum = 0;
    for (let seen = Math.max(0, bucket - this.#base); seen < storedBuckets; seen += 1)
      sum += this.#histogram[seen] as number;
    return sum;
  }

  #slotOf(member: number): number {
    const mask = this.#members.length - 1;
    let slot = member & mask;
    for (;;) {
      const found = this.#members[slot];
      if (found === member || found === 0) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #allocate(members: number): void {
    const capacity = capacityFor(members);
    this.#members = new Int32Array(capacity);
    this.#seen = new Uint16Array(capacity);
  }

  /** Drops members that no window includes, those beyond `maxCount`, and the given one. */
  #rebuild(now: number, removed: number): void {
    const members = this.#members;
    const lastSeen = this.#seen;
    const base = this.#base;
    let first = Math.max(0, now - dayBuckets - base);
    let kept = this.#sumSince(base + first);
    // Whole buckets are dropped, oldest first; of the last one, only a part.
    while (kept - (this.#histogram[first] as number) >= maxCount) {
      kept -= this.#histogram[first] as number;
      first += 1;
    }
    // Evenly over the slots: otherwise the others would cluster.
    const excess = Math.max(0, kept - maxCount);
    const dropped = excess / (this.#histogram[first] as number);
    let due = 0;
    this.#allocate(kept - excess);
    this.#histogram.fill(0);
    this.#size = 0;
    this.#base = now - baseBefore;
    this.#now = now;
    this.#hour = 0;
    this.#day = 0;
    for (let old = 0; old < members.length; old += 1) {
      const member = members[old] as number;
      const seen = lastSeen[old] as number;
      if (member === 0 || member === removed || seen < first) continue;
      if (seen === first && excess > 0) {
        due += dropped;
        if (due >= 1) {
          due -= 1;
          continue;
        }
      }
      const slot = this.#slotOf(member);
      this.#members[slot] = member;
      this.#seen[slot] = Math.max(0, seen + base - this.#base);
      this.#size += 1;
      this.#count(this.#seen[slot] as number, 1);
    }
  }
}

/** A power of two. */
function capacityFor(members: number): number {
  let capacity = minCapacity;
  while (capacity * maxLoad < Math.min(members, maxCount) * room + 1) capacity *= 2;
  return capacity;
}
