import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { badShare, outcomeSentence, wilson } from './outcome-shares.ts';

describe('outcome shares', () => {
  it('outcome shares have a 95 % interval that narrows with the number of outcomes', () => {
    const rounded = (hits: number, total: number) => wilson(hits, total).map((end) => Math.round(end * 1_000) / 1_000);
    assert.deepEqual(rounded(3, 3), [0.438, 1]);
    assert.deepEqual(rounded(0, 10), [0, 0.278]);
    assert.deepEqual(rounded(50, 100), [0.404, 0.596]);
    assert.deepEqual(rounded(0, 0), [0, 1]);
  });

  it('outcome shares of a backtest are one sentence, and null without outcomes', () => {
    const change = { from: 'allow', to: 'block', count: 16, good: 1, bad: 12 };
    assert.equal(outcomeSentence([change]), 'It would stop 12 bad sign-ups, 1 good and 3 of unknown outcome.');
    assert.equal(outcomeSentence([{ ...change, good: 0, bad: 0 }]), null);
    const freed = { from: 'block', to: 'allow', count: 4, good: 3, bad: 1 };
    assert.match(
      outcomeSentence([change, freed]) ?? '',
      /outcome, and allow 1 bad sign-up, 3 good and 0 of unknown outcome\.$/,
    );
  });

  it('outcome shares are written with their interval, and are null without outcomes', () => {
    assert.equal(badShare({ good: 0, bad: 3 }), '3 of 3 reported were bad (likely 44–100 %)');
    assert.equal(badShare({ good: 0, bad: 0 }), null);
  });
});
