import { oldestKey } from './oldest-key.ts';

/** A map that forgets the entry set longest ago when it grows beyond its bound. */
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
  const oldest = oldestKey(map);
  return {
    get size() {
      return map.size;
    },
    get: (key) => map.get(key),
    set(key, value) {
      map.delete(key);
      map.set(key, value);
      if (map.size > max) map.delete(oldest() as K);
    },
    delete: (key) => void map.delete(key),
    clear: () => map.clear(),
    entries: () => map.entries(),
  };
}
