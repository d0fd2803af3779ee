import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { weightedMap } from './weighted-map.ts';

describe('weightedMap', () => {
  const keys = (map: ReturnType<typeof weightedMap<string, number>>) => [...map.entries()].map(([key]) => key);

  it('evicts the entry set longest ago when it exceeds the number of entries', () => {
    const map = weightedMap<string, number>(2, 100);
    for (const key of ['a', 'b', 'c']) map.set(key, 1, 1);
    assert.deepEqual(keys(map), ['b', 'c']);
    assert.equal(map.weight, 2);
  });

  it('evicts the entry set longest ago when it exceeds the total weight, also when an entry grows', () => {
    const map = weightedMap<string, number>(10, 10);
    for (const key of ['a', 'b', 'c']) map.set(key, 1, 3);
    map.set('b', 2, 6);
    assert.deepEqual(keys(map), ['c', 'b']);
    assert.equal(map.get('b'), 2);
    assert.equal(map.weight, 9);
  });

  it('keeps no entry that alone exceeds the total weight', () => {
    const map = weightedMap<string, number>(10, 10);
    map.set('a', 1, 11);
    assert.deepEqual([map.size, map.weight], [0, 0]);
  });

  it('subtracts the weight of a deleted entry once', () => {
    const map = weightedMap<string, number>(10, 10);
    map.set('a', 1, 4);
    map.delete('a');
    map.delete('a');
    assert.deepEqual([map.size, map.weight], [0, 0]);
  });
});
