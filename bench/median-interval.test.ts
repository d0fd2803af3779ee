import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWithin, medianInterval } from './median-interval.ts';

describe('the confidence interval of a median', () => {
  // The ranks are those of statistical tables (two-sided 95 %, sign test).
  const ranks: [count: number, low: number, high: number][] = [
    [6, 1, 6],
    [8, 1, 8],
    [9, 2, 8],
    [12, 3, 10],
    [20, 6, 15],
    [40, 14, 27],
  ];
  for (const [count, low, high] of ranks) {
    it(`${count} values: from the ${low}. to the ${high}.`, () => {
      const values = Array.from({ length: count }, (_, index) => count - index);
      assert.deepEqual(medianInterval(values), { median: (count + 1) / 2, low, high });
    });
  }

  it('five values have no interval of 95 %', () => {
    const interval = medianInterval([1, 1, 1, 1, 1]);
    assert.equal(interval.median, 1);
    assert.equal(isWithin(interval, 0.05), false);
  });

  it('an interval is within 5 % only if both of its bounds are', () => {
    assert.equal(isWithin({ median: 1, low: 0.96, high: 1.04 }, 0.05), true);
    assert.equal(isWithin({ median: 1, low: 0.94, high: 1.04 }, 0.05), false);
    assert.equal(isWithin({ median: 1, low: 0.96, high: 1.06 }, 0.05), false);
  });
});
