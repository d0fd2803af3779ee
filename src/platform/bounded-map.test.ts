import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundedMap } from './bounded-map.ts';

describe('boundedMap', () => {
  it('evicts the entry set longest ago when it exceeds its bound', () => {
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

  it('removes deleted and cleared keys', () => {
    const map = boundedMap<string, number>(2);
    map.set('a', 1);
    map.delete('a');
    assert.equal(map.get('a'), undefined);
    map.set('b', 1);
    map.clear();
    assert.equal(map.size, 0);
  });
});
