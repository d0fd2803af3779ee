import { oldestKey } from './oldest-key.ts';

/** A map with a bound on its entries and on what they weigh together; the entry set longest ago goes first. */
export interface WeightedMap<K, V> {
  readonly size: number;
  readonly weight: number;
  get(key: K): V | undefined;
  /** Sets an entry, or its new weight. */
  set(key: K, value: V, weight: number): void;
  delete(key: K): void;
  entries(): IterableIterator<[K, V]>;
}

/** Makes an empty map. */
export function weightedMap<K, V>(maxEntries: number, maxWeight: number): WeightedMap<K, V> {
  const values = new Map<K, V>();
  const weights = new Map<K, number>();
  const oldest = oldestKey(values);
  let total = 0;

  function remove(key: K): void {
    total -= weights.get(key) ?? 0;
    weights.delete(key);
    values.delete(key);
  }

  return {
    get size() {
      return values.size;
    },
    get weight() {
      return total;
    },
    get: (key) => values.get(key),
    set(key, value, weight) {
      remove(key);
      values.set(key, value);
      weights.set(key, weight);
      total += weight;
      while (values.size > maxEntries || total > maxWeight) remove(oldest() as K);
    },
    delete: remove,
    entries: () => values.entries(),
  };
}
