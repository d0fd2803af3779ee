import { createEvictionCursor } from './eviction-cursor.ts';

/** A map with a bound on the number of its entries and on their total weight; it evicts the entry set longest ago first. */
export interface BoundedMap<K, V> {
  readonly size: number;
  readonly weight: number;
  get(key: K): V | undefined;
  /** Sets an entry, or its new weight. An entry that alone exceeds the bound is evicted after all others. */
  set(key: K, value: V, weight?: number): void;
  delete(key: K): void;
  clear(): void;
  values(): IterableIterator<V>;
  entries(): IterableIterator<[K, V]>;
}

/** The optional maximum weight, second chance and eviction callback of a map. */
export interface BoundedMapOptions<V> {
  readonly maxWeight?: number;
  /** Whether an entry was used since it was last asked: it is then kept until its next turn (second chance). */
  readonly wasUsed?: (value: V) => boolean;
  readonly onEvict?: (value: V) => void;
}

/** Creates an empty map. */
export function boundedMap<K, V>(maxEntries: number, options: BoundedMapOptions<V> = {}): BoundedMap<K, V> {
  const { maxWeight = Number.POSITIVE_INFINITY, wasUsed, onEvict } = options;
  const map = new Map<K, V>();
  /** Weights other than 0. */
  const weights = new Map<K, number>();
  const nextCandidate = createEvictionCursor(map);
  let total = 0;

  const remove = (key: K): void => {
    map.delete(key);
    if (weights.size === 0) return;
    total -= weights.get(key) ?? 0;
    weights.delete(key);
  };
  /** Evicts the next candidate, or keeps it for another turn. */
  const evictNext = (newest: K): void => {
    const key = nextCandidate() as K;
    const value = map.get(key) as V;
    if (map.size > 1 && (key === newest || wasUsed?.(value) === true)) {
      map.delete(key);
      map.set(key, value);
      return;
    }
    remove(key);
    onEvict?.(value);
  };
  return {
    get size() {
      return map.size;
    },
    get weight() {
      return total;
    },
    get: (key) => map.get(key),
    set(key, value, weight = 0) {
      remove(key);
      map.set(key, value);
      if (weight !== 0) weights.set(key, weight);
      total += weight;
      while (map.size > maxEntries || total > maxWeight) evictNext(key);
    },
    delete: remove,
    clear() {
      map.clear();
      weights.clear();
      total = 0;
    },
    values: () => map.values(),
    entries: () => map.entries(),
  };
}
