import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { slipCost } from './typing-slip.ts';

/** Optimal string alignment distance by the textbook table, to compare with. */
function distance(a: string, b: string): number {
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (__, j) => i || j));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let best = cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      best = Math.min(best, cell(i - 1, j) + 1, cell(i, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, cell(i - 2, j - 2) + 1);
      const row = rows[i];
      if (row !== undefined) row[j] = best;
    }
  }
  return cell(a.length, b.length);
}

describe('slipCost', () => {
  const cases: [typed: string, target: string, maxSlips: number, cost: number, why: string][] = [
    ['gmail', 'gmail', 0, 0, 'nothing wrong'],
    ['gmial', 'gmail', 1, 1, 'two letters swapped'],
    ['gmal', 'gmail', 1, 1, 'one missed'],
    ['mail', 'gmail', 1, 1, 'the first missed'],
    ['gmai', 'gmail', 1, 1, 'the last missed'],
    ['gmaill', 'gmail', 1, 1, 'one doubled'],
    ['gmnail', 'gmail', 1, 1, 'a neighbouring key caught'],
    ['gmxail', 'gmail', 1, 1.5, 'a far key too many'],
    ['gnail', 'gmail', 1, 1, 'a neighbouring key instead'],
    ['zahoo', 'yahoo', 1, 1.125, 'the key in its place on QWERTZ'],
    ['lail', 'mail', 1, 1.125, 'a neighbouring key on AZERTY'],
    ['gmeil', 'gmail', 1, 1.25, 'a vowel for a vowel'],
    ['gmzzl', 'gmail', 2, 2.5, 'a neighbour and a far key instead'],
    ['h0tmail', 'hotmail', 1, 1, 'a digit that looks the same'],
    ['gmaul', 'gmail', 0, Number.POSITIVE_INFINITY, 'more slips than allowed'],
    ['hotel', 'hotmail', 2, Number.POSITIVE_INFINITY, 'too far'],
    ['', 'ab', 2, 2, 'all missed'],
    ['ab', '', 2, 3, 'nothing meant'],
  ];
  for (const [typed, target, maxSlips, cost, why] of cases) {
    it(`the slip ${JSON.stringify(typed)} for ${JSON.stringify(target)} costs ${cost}: ${why}`, () => {
      assert.equal(slipCost(typed, target, maxSlips), cost);
    });
  }

  it('slipCost is finite exactly when the edit distance is within the allowed slips', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 2 }), (typed, target, maxSlips) => {
        const cost = slipCost(typed, target, maxSlips);
        const edits = distance(typed, target);
        assert.equal(Number.isFinite(cost), edits <= maxSlips);
        if (Number.isFinite(cost)) assert.ok(cost >= edits && cost <= maxSlips * 1.5);
      }),
      { numRuns: 3000 },
    );
  });
});
