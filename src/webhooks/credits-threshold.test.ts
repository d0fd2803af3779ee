import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { thresholdEvents } from './credits-threshold.ts';

const month = { startMs: Date.UTC(2026, 10, 1), endMs: Date.UTC(2026, 11, 1), limit: 1_000 };

describe('thresholds of credits', () => {
  const cases: readonly [usedBefore: number, used: number, crossed: readonly number[]][] = [
    [0, 799, []],
    [799, 800, [80]],
    [800, 801, []],
    [799, 799, []],
    [999, 1_000, [100]],
    [0, 1_000, [80, 100]],
    [1_000, 1_500, []],
    [801, 790, []],
  ];
  for (const [usedBefore, used, crossed] of cases) {
    it(`thresholds of credits: from ${usedBefore} to ${used} of 1,000 crosses ${crossed.join(' and ') || 'none'}`, () => {
      const events = thresholdEvents({ ...month, usedBefore, used }, 5);
      assert.deepEqual(
        events.map(({ data }) => data),
        crossed.map((threshold_percent) => ({
          threshold_percent,
          used,
          limit: 1_000,
          period_start: '2026-11-01T00:00:00+00:00',
          period_end: '2026-12-01T00:00:00+00:00',
        })),
      );
    });
  }

  it('thresholds of credits are exact when a percentage is not a whole number of credits', () => {
    const crossed = (usedBefore: number, used: number) =>
      thresholdEvents({ ...month, limit: 7, usedBefore, used }, 5).map(({ data }) => data.threshold_percent);
    assert.deepEqual([crossed(4, 5), crossed(5, 6), crossed(6, 7)], [[], [80], [100]]);
  });

  it('thresholds of credits are not crossed while the limit is unknown', () => {
    assert.deepEqual(thresholdEvents({ ...month, limit: 0, usedBefore: 0, used: 5 }, 5), []);
  });
});
