import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseEvicted, type Evictable, largestShare } from './fair-eviction.ts';

const keysOf = (group: number, count: number, usedAt: (index: number) => number): Evictable[] =>
  Array.from({ length: count }, (_, index) => ({
    slot: group * 1_000 + index,
    bytes: 10,
    group,
    usedAt: usedAt(index),
  }));
const slotsOf = (keys: readonly Evictable[]): number[] => keys.map(({ slot }) => slot);

describe('eviction from a full partition', () => {
  it('takes keys of the group with most only, those used longest ago first', () => {
    const keys = [...keysOf(1, 10, () => 0), ...keysOf(2, 100, (index) => index)];
    const evicted = chooseEvicted(keys, 800);
    assert.deepEqual(slotsOf(evicted), slotsOf(keysOf(2, 30, () => 0)));
  });

  it('leaves several large groups the same share', () => {
    const keys = [...keysOf(1, 60, () => 0), ...keysOf(2, 90, () => 0), ...keysOf(3, 10, () => 0)];
    const evicted = chooseEvicted(keys, 1_000);
    const left = (group: number) => keys.filter((key) => key.group === group && !evicted.includes(key)).length;
    assert.deepEqual([left(1), left(2), left(3)], [45, 45, 10]);
  });

  it('takes keys of one age evenly over the slots', () => {
    const evicted = slotsOf(
      chooseEvicted(
        keysOf(0, 100, () => 5),
        750,
      ),
    );
    assert.equal(evicted.length, 25);
    assert.ok(
      evicted.every((slot, index) => slot === 4 * index + 3),
      evicted.join(),
    );
  });

  it('takes nothing where everything fits', () => {
    assert.deepEqual(
      chooseEvicted(
        keysOf(0, 10, () => 0),
        100,
      ),
      [],
    );
  });
});

describe('the largest share', () => {
  it('is what remains for the large amounts after the small ones', () => {
    assert.equal(largestShare([10, 100, 200], 110), 50);
    assert.equal(largestShare([10, 20], 100), 100);
  });
});
