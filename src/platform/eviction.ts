import { createEvictionCursor } from './eviction-cursor.ts';

/** Something that takes memory and can be loaded again. */
export interface Evictable {
  /** Changes with each use. */
  usedAt: number;
  /** Its share of the limit. */
  weight: number;
  isEvicted: boolean;
}

/** Bounds the total weight of items; those that were not used recently are evicted first. */
export interface Eviction<Item extends Evictable> {
  add(item: Item): void;
  /** Sets the weight of an item; above the limit evicts others, and the item itself if it does not fit. */
  resize(item: Item, weight: number): void;
  evict(item: Item): void;
  total(): number;
}

/** Evicts by second chance: sorting all items by their use would block requests. `onEvict` removes an item from its owner. */
export function createEviction<Item extends Evictable>(max: number, onEvict: (item: Item) => void): Eviction<Item> {
  /** The last use of each item that eviction has seen, in eviction order. */
  const seen = new Map<Item, number>();
  const nextCandidate = createEvictionCursor(seen);
  let total = 0;

  const evict = (item: Item): void => {
    seen.delete(item);
    item.isEvicted = true;
    total -= item.weight;
    onEvict(item);
  };
  /** Evicts the next candidate, unless it was used since its last turn or is `staying`. */
  const evictNext = (staying: Item): void => {
    const item = nextCandidate() as Item;
    const isRecent = item === staying || item.usedAt !== seen.get(item);
    seen.delete(item);
    if (isRecent && seen.size > 0) seen.set(item, item.usedAt);
    else evict(item);
  };
  return {
    add: (item) => void seen.set(item, item.usedAt),
    resize(item, weight) {
      // An evicted item is unreachable and does not count.
      if (item.isEvicted) return;
      total += weight - item.weight;
      item.weight = weight;
      while (total > max) evictNext(item);
    },
    evict,
    total: () => total,
  };
}
