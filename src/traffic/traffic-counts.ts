import { type Hash, ownerGroups } from './keyed-hash.ts';
import type { Ledger } from './ledger.ts';
import { Partition } from './partition.ts';
import type { WindowCounts } from './windows.ts';

/** Distinct members of many keys in sliding windows, in bounded memory. */
export interface TrafficCounts {
  /** Adds a member that was seen in a bucket; `now` is the current bucket. */
  add(key: Hash, member: number, bucket: number, now: number): void;
  /** Reads a key's counts as if the member was seen now. */
  read(key: Hash, member: number, now: number, into: WindowCounts): void;
  /** Adds a member that is seen now, and reads the key's counts with it. */
  count(key: Hash, member: number, now: number, into: WindowCounts): void;
  /** Removes a member from a key; null removes the key. */
  remove(key: Hash, member: number | null, now: number): void;
  /** Drops the expired keys of one partition; the next call continues with the next. */
  expireSome(now: number): void;
  status(): Readonly<Ledger>;
}

/** A partition of a million keys has a thousand, so no rebuild takes long. */
const partitionCount = 1_024;
/** The share of the limit that large sets may take. */
const largeShare = 1 / 4;
/** Large sets that an eviction chooses from. */
const largesLookedAt = 8;
/** The maximum number of partitions that one decision shrinks. */
const shrunkAtOnce = 4;

export function createTrafficCounts(limitBytes: number): TrafficCounts {
  const ledger: Ledger = {
    limitBytes,
    partitions: partitionCount,
    tableBytes: 0,
    largeBytes: 0,
    largeBytesBy: new Float64Array(ownerGroups),
    keys: 0,
    evicted: 0,
  };
  const partitions = new Array<Partition | undefined>(partitionCount).fill(undefined);
  let expiring = 0;
  let evicting = 0;

  const partitionOf = (key: Hash, now: number): Partition => {
    const index = key.lo & (partitionCount - 1);
    const known = partitions[index];
    if (known !== undefined) return known;
    const made = new Partition(ledger, now);
    partitions[index] = made;
    return made;
  };
  const expireSome = (now: number): void => {
    expiring = (expiring + 1) % partitionCount;
    partitions[expiring]?.rebuild(now);
  };
  /** The least recently used of a few large sets of the largest owners: scanning all would take too long. */
  const evictLarge = (now: number): void => {
    const largest = ledger.largeBytesBy.indexOf(Math.max(...ledger.largeBytesBy));
    let looked = 0;
    let stalest: { partition: Partition; slot: number; bucket: number } | null = null;
    for (let step = 0; step < partitionCount && looked < largesLookedAt; step += 1) {
      evicting = (evicting + 1) % partitionCount;
      const partition = partitions[evicting];
      const found = partition?.stalestLarge(largest);
      if (partition === undefined || found === null || found === undefined) continue;
      looked += 1;
      if (stalest === null || found.bucket < stalest.bucket) stalest = { partition, ...found };
    }
    stalest?.partition.rebuild(now, stalest.slot);
    ledger.evicted += 1;
  };
  const shrink = (now: number): void => {
    if (ledger.largeBytes > limitBytes * largeShare) evictLarge(now);
    for (let shrunk = 0; shrunk < shrunkAtOnce && isOver(); shrunk += 1) expireSome(now);
  };
  const isOver = (): boolean => ledger.tableBytes + ledger.largeBytes > limitBytes;
  return {
    add(key, member, bucket, now) {
      const { largeBytes } = ledger;
      partitionOf(key, now).add(key, member, bucket, now);
      if (ledger.largeBytes > largeBytes) shrink(now);
    },
    count(key, member, now, into) {
      const { largeBytes } = ledger;
      partitionOf(key, now).count(key, member, now, into);
      if (ledger.largeBytes > largeBytes) shrink(now);
    },
    read(key, member, now, into) {
      into.hour = 1;
      into.day = 1;
      partitions[key.lo & (partitionCount - 1)]?.read(key, member, now, into);
    },
    remove: (key, member, now) => partitions[key.lo & (partitionCount - 1)]?.remove(key, member, now),
    expireSome,
    status: () => ledger,
  };
}
