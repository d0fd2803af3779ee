import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createEviction, type Evictable } from './eviction.ts';

interface Item extends Evictable {
  readonly name: string;
}

describe('eviction', () => {
  const start = (max: number) => {
    const evicted: string[] = [];
    const eviction = createEviction<Item>(max, ({ name }) => evicted.push(name));
    const add = (name: string, weight: number): Item => {
      const item = { name, usedAt: 0, weight: 0, isEvicted: false };
      eviction.add(item);
      eviction.resize(item, weight);
      return item;
    };
    return { eviction, evicted, add };
  };

  test('evicts the item added first while the total exceeds the limit', () => {
    const { eviction, evicted, add } = start(10);
    for (const name of ['a', 'b', 'c']) add(name, 4);
    assert.deepEqual([evicted, eviction.total()], [['a'], 8]);
    add('d', 9);
    assert.deepEqual([evicted, eviction.total()], [['a', 'b', 'c'], 9]);
  });

  test('keeps an item that was used since its last turn', () => {
    const { evicted, add } = start(10);
    const a = add('a', 4);
    add('b', 4);
    a.usedAt = 1;
    add('c', 4);
    assert.deepEqual(evicted, ['b']);
  });

  test('evicts an item that is larger than the limit, and counts it no longer', () => {
    const { eviction, evicted, add } = start(10);
    const a = add('a', 11);
    assert.deepEqual([evicted, a.isEvicted, eviction.total()], [['a'], true, 0]);
    eviction.resize(a, 5);
    assert.equal(eviction.total(), 0);
  });

  test('an evicted item makes room', () => {
    const { eviction, evicted, add } = start(10);
    eviction.evict(add('a', 6));
    add('b', 10);
    assert.deepEqual([evicted, eviction.total()], [['a'], 10]);
  });
});
