import { createEvictionCursor } from './eviction-cursor.ts';

/** A map with a bound on the number of entries and on their total weight; it evicts the entry set longest ago first. */
export interface WeightedMap<K, V> {
  readonly size: number;
  readonly weight: number;
  get(key: K): V | undefined;
  /** Sets an entry, or its new weight. */
  set(key: K, value: V, weight: number): void;
  delete(key: K): void;
  entries(): IterableIterator<[K, V]>;
}

interface Weighed<V> {
  readonly value: V;
  readonly weight: number;
}

/** Creates an empty map. */
export function weightedMap<K, V>(maxEntries: number, maxWeight: number): WeightedMap<K, V> {
  const entries = new Map<K, Weighed<V>>();
  const nextEvicted = createEvictionCursor(entries);
  let total = 0;

  function remove(key: K): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    total -= entry.weight;
    entries.delete(key);
  }

  return {
    get size() {
      return entries.size;
    },
    get weight() {
      return total;
    },
    get: (key) => entries.get(key)?.value,
    set(key, value, weight) {
      remove(key);
      entries.set(key, { value, weight });
      total += weight;
      while (entries.size > maxEntries || total > maxWeight) remove(nextEvicted() as K);
    },
    delete: remove,
    *entries() {
      for (const [key, { value }] of entries) yield [key, value];
    },
  };
}
