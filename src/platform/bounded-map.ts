import { createEvictionCursor } from './eviction-cursor.ts';

/** A map that evicts the entry set longest ago when it exceeds its bound. */
export interface BoundedMap<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
  entries(): IterableIterator<[K, V]>;
}

export function boundedMap<K, V>(max: number): BoundedMap<K, V> {
  const map = new Map<K, V>();
  const nextEvicted = createEvictionCursor(map);
  return {
    get size() {
      return map.size;
    },
    get: (key) => map.get(key),
    set(key, value) {
      map.delete(key);
      map.set(key, value);
      if (map.size > max) map.delete(nextEvicted() as K);
    },
    delete: (key) => void map.delete(key),
    clear: () => map.clear(),
    entries: () => map.entries(),
  };
}
