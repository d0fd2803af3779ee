import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHistogram } from './histogram.ts';

describe('a histogram', () => {
  it('a histogram without observations has no samples', () => {
    assert.deepEqual(createHistogram([1]).samples('m', 'a="b"'), []);
  });

  it('a histogram counts a value equal to a bound below it, and cumulates its buckets', () => {
    const histogram = createHistogram([0.1, 1]);
    for (const seconds of [0.05, 0.1, 0.5, 2]) histogram.observe(seconds);
    assert.deepEqual([histogram.count(), histogram.count(0.1), histogram.count(1)], [4, 2, 1]);
    assert.deepEqual(histogram.samples('m', 'a="b"'), [
      'm_bucket{a="b",le="0.1"} 2',
      'm_bucket{a="b",le="1"} 3',
      'm_bucket{a="b",le="+Inf"} 4',
      'm_sum{a="b"} 2.65',
      'm_count{a="b"} 4',
    ]);
  });
});
