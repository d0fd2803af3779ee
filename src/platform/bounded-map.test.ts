import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BoundedMap, type BoundedMapOptions, boundedMap } from './bounded-map.ts';

const keysOf = (map: BoundedMap<string, unknown>): string[] => [...map.entries()].map(([key]) => key);

describe('boundedMap', () => {
  it('evicts the entry set longest ago when it exceeds its number of entries', () => {
    const map = boundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    assert.deepEqual(
      [...map.entries()],
      [
        ['a', 3],
        ['c', 4],
      ],
    );
    assert.equal(map.size, 2);
  });

  it('removes deleted and cleared keys with their weights', () => {
    const map = boundedMap<string, number>(2);
    map.set('a', 1, 4);
    map.delete('a');
    map.delete('a');
    assert.deepEqual([map.get('a'), map.size, map.weight], [undefined, 0, 0]);
    map.set('b', 1, 3);
    map.clear();
    assert.deepEqual([map.size, map.weight], [0, 0]);
  });

  it('evicts the entry set longest ago when it exceeds the total weight, also when an entry grows', () => {
    const map = boundedMap<string, number>(10, { maxWeight: 10 });
    for (const key of ['a', 'b', 'c']) map.set(key, 1, 3);
    map.set('b', 2, 6);
    assert.deepEqual(keysOf(map), ['c', 'b']);
    assert.deepEqual([map.get('b'), map.weight], [2, 9]);
  });

  it('keeps no entry that alone exceeds the total weight', () => {
    const map = boundedMap<string, number>(10, { maxWeight: 10 });
    map.set('a', 1, 4);
    map.set('b', 1, 11);
    assert.deepEqual([map.size, map.weight], [0, 0]);
  });
});

describe('boundedMap with a second chance', () => {
  interface Item {
    used: boolean;
  }
  const start = (options: Omit<BoundedMapOptions<Item>, 'wasUsed' | 'onEvict'> & { readonly max?: number } = {}) => {
    const evicted: Item[] = [];
    const map = boundedMap<string, Item>(options.max ?? 3, {
      ...options,
      wasUsed(item) {
        const { used } = item;
        item.used = false;
        return used;
      },
      onEvict: (item) => void evicted.push(item),
    });
    return { map, evicted };
  };

  it('keeps an entry that was used since its last turn, and evicts it at the next one', () => {
    const { map, evicted } = start();
    const used = { used: true };
    map.set('a', used);
    for (const key of ['b', 'c', 'd']) map.set(key, { used: false });
    assert.deepEqual(keysOf(map), ['c', 'd', 'a']);
    for (const key of ['e', 'f', 'g']) map.set(key, { used: false });
    assert.deepEqual(keysOf(map), ['e', 'f', 'g']);
    assert.equal(evicted.indexOf(used), 3);
  });

  it('evicts the entry set longest ago when all were used', () => {
    const { map } = start();
    for (const key of ['a', 'b', 'c', 'd']) map.set(key, { used: true });
    assert.equal(map.size, 3);
    assert.equal(map.get('a'), undefined);
  });

  it('keeps the entry that was just set before one that was used', () => {
    const { map } = start({ max: 1 });
    map.set('a', { used: true });
    map.set('b', { used: false });
    assert.deepEqual(keysOf(map), ['b']);
  });

  it('reports evicted entries, not deleted ones', () => {
    const { map, evicted } = start({ maxWeight: 10 });
    map.set('a', { used: false }, 6);
    map.delete('a');
    assert.equal(evicted.length, 0);
    map.set('b', { used: false }, 6);
    map.set('c', { used: false }, 6);
    assert.deepEqual([evicted.length, map.weight], [1, 6]);
  });
});
