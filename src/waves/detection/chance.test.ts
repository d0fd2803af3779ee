import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countBeyond, logGamma, tailOf } from './chance.ts';

const near = (value: number, expected: number, share = 1e-6): void =>
  assert.ok(Math.abs(value - expected) <= Math.abs(expected) * share, `${value} is not ${expected}`);

describe('the chance of a count', () => {
  it('has the logarithms of factorials', () => {
    let factorial = 1;
    for (let number = 2; number < 20; number += 1) {
      factorial *= number;
      near(logGamma(number + 1), Math.log(factorial), 1e-9);
    }
    near(logGamma(0.5), Math.log(Math.sqrt(Math.PI)), 1e-9);
  });

  it('is the tail of the negative binomial distribution', () => {
    // Size 1 is the geometric distribution, whose tail is a power.
    near(tailOf({ mean: 2, variance: 6 }, 5), (2 / 3) ** 5);
    // Size 2, share 1/2: 1 - P(0) - P(1) = 1 - 1/4 - 1/4.
    near(tailOf({ mean: 2, variance: 4 }, 2), 0.5);
  });

  it('is 1 for nothing, 0 without a mean, and smaller with less variance', () => {
    assert.equal(tailOf({ mean: 3, variance: 9 }, 0), 1);
    assert.equal(tailOf({ mean: 0, variance: 0 }, 1), 0);
    assert.ok(tailOf({ mean: 3, variance: 3 }, 12) < tailOf({ mean: 3, variance: 12 }, 12));
  });

  it('names the smallest count beyond a bound', () => {
    for (const bound of [1e-2, 1e-5, 1e-9]) {
      const distribution = { mean: 4, variance: 11 };
      const count = countBeyond(distribution, bound, 1, 500);
      assert.ok(tailOf(distribution, count) < bound && tailOf(distribution, count - 1) >= bound, `${count}`);
    }
    assert.equal(countBeyond({ mean: 0.1, variance: 0.2 }, 0.5, 8, 20), 8);
    assert.equal(countBeyond({ mean: 4, variance: 11 }, 1e-9, 1, 6), 7);
  });
});
