import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEvictionCursor } from './eviction-cursor.ts';

describe('createEvictionCursor', () => {
  const mapOf = (...keys: string[]) => new Map(keys.map((key) => [key, 1]));
  const takeFrom = (map: Map<string, number>) => {
    const nextEvicted = createEvictionCursor(map);
    return (): string | undefined => {
      const key = nextEvicted();
      if (key !== undefined) map.delete(key);
      return key;
    };
  };

  it('returns keys in the order in which they were set, those set again last', () => {
    const map = mapOf('a', 'b', 'c');
    const take = takeFrom(map);
    assert.equal(take(), 'a');
    map.delete('b');
    map.set('b', 2);
    map.set('d', 1);
    assert.deepEqual([take(), take(), take()], ['c', 'b', 'd']);
  });

  it('continues after the map was empty, and after it was cleared', () => {
    const map = mapOf('a');
    const take = takeFrom(map);
    assert.deepEqual([take(), take()], ['a', undefined]);
    map.set('b', 1);
    assert.equal(take(), 'b');
    map.set('c', 1);
    map.clear();
    map.set('d', 1);
    assert.equal(take(), 'd');
  });

  it('returns the oldest key while the map grows, shrinks and deletes many keys', () => {
    const map = new Map<string, number>();
    const take = takeFrom(map);
    let taken = 0;
    for (let count = 0; count < 20_000; count += 1) {
      map.set(`k${count}`, count);
      if (map.size > (count < 10_000 ? 1_000 : 10)) {
        assert.equal(take(), `k${taken}`);
        taken += 1;
      }
      if (count === 15_000) while (map.size > 2) assert.equal(take(), `k${taken++}`);
    }
  });
});
