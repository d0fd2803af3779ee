import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectedRecall, recallText } from './expected-recall.ts';

const nowMs = Date.parse('2026-11-17T00:00:00Z');
const daysAgo = (days: number) => new Date(nowMs - days * 86_400_000).toISOString();

describe('the recall to expect from lists', () => {
  const cases: readonly (readonly [days: number, share: number])[] = [
    [0, 1],
    [30, 0.92],
    [45, 0.87],
    [90, 0.72],
    [1_000, 0.31],
  ];
  for (const [days, share] of cases) {
    it(`the recall to expect from lists is ${share} when the newest edition is ${days} days old`, () => {
      const sources = [
        { name: 'fakefilter', date: daysAgo(days) },
        { name: 'is-burner-email', date: daysAgo(days + 200) },
        { name: 'mailchecker', date: daysAgo(0) },
      ];
      assert.deepEqual(expectedRecall(sources, nowMs), { share, edition: daysAgo(days) });
    });
  }

  it('the recall to expect from lists is that of new ones when an edition is dated in the future', () => {
    assert.equal(expectedRecall([{ name: 'fakefilter', date: daysAgo(-5) }], nowMs)?.share, 1);
  });

  it('the recall to expect from lists is unknown without a dated edition of a publisher that watches services', () => {
    const sources = [
      { name: 'fakefilter', date: null },
      { name: 'mailchecker', date: daysAgo(0) },
    ];
    assert.equal(expectedRecall(sources, nowMs), null);
  });

  it('the recall to expect from lists is shown with the newest edition', () => {
    assert.equal(
      recallText({ share: 0.58, edition: '2026-07-13T00:00:00Z' }),
      'about 58 % of the disposable domains of the last half year are known (newest edition: 2026-07-13)',
    );
  });
});
