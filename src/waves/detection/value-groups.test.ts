import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SizeSums } from './value-groups.ts';

describe('SizeSums', () => {
  it('sums the smallest sizes without its own like a sorted copy', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(sizes, fc.nat(), fc.integer({ min: -2, max: 12 }), (all, pick, count) => {
        const own = all[pick % all.length] as number;
        const others = all.toSpliced(all.indexOf(own), 1).sort((one, other) => one - other);
        const expected = others.slice(0, Math.max(0, count));
        assert.deepEqual(new SizeSums(all).smallest(own, count), {
          number: expected.length,
          sum: expected.reduce((sum, size) => sum + size, 0),
          squares: expected.reduce((sum, size) => sum + size * size, 0),
          largest: expected.at(-1) ?? 0,
        });
      }),
    );
  });
});
