import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { billingCycle } from './billing-cycle.ts';

const cycleOf = (created: string, now: string): string[] => {
  const { startMs, endMs } = billingCycle(Date.parse(created), Date.parse(now));
  return [startMs, endMs].map((ms) => new Date(ms).toISOString().replace('T00:00:00.000Z', ''));
};

describe('the billing cycle', () => {
  const cases = [
    ['2026-03-10T15:00Z', '2026-03-10T15:00Z', '2026-03-10', '2026-04-10'],
    ['2026-03-10T15:00Z', '2026-04-09T23:59:59.999Z', '2026-03-10', '2026-04-10'],
    ['2026-03-10T15:00Z', '2026-04-10T00:00Z', '2026-04-10', '2026-05-10'],
    ['2026-03-01T00:00Z', '2026-12-31T12:00Z', '2026-12-01', '2027-01-01'],
    ['2026-03-15T00:00Z', '2027-01-03T12:00Z', '2026-12-15', '2027-01-15'],
    // The 31st is clamped to the month's length, and applies again in longer months.
    ['2026-01-31T10:00Z', '2026-02-27T23:00Z', '2026-01-31', '2026-02-28'],
    ['2026-01-31T10:00Z', '2026-02-28T00:00Z', '2026-02-28', '2026-03-31'],
    ['2026-01-31T10:00Z', '2026-03-30T23:00Z', '2026-02-28', '2026-03-31'],
    ['2026-01-31T10:00Z', '2026-03-31T00:00Z', '2026-03-31', '2026-04-30'],
    ['2026-01-31T10:00Z', '2026-04-30T00:00Z', '2026-04-30', '2026-05-31'],
    // In a leap year, February has a 29th.
    ['2027-12-31T10:00Z', '2028-02-28T12:00Z', '2028-01-31', '2028-02-29'],
    ['2028-02-29T10:00Z', '2029-02-28T00:00Z', '2029-02-28', '2029-03-29'],
    // 23:30 on the 9th in a western time zone is the 10th in UTC.
    ['2026-03-10T01:30+02:00', '2026-03-10T12:00Z', '2026-03-09', '2026-04-09'],
  ] as const;
  for (const [created, now, start, end] of cases) {
    it(`the billing cycle of an account created on ${created} runs, at ${now}, from ${start} to ${end} [D51]`, () => {
      assert.deepEqual(cycleOf(created, now), [start, end]);
    });
  }

  it('the billing cycle begins at 00:00 UTC, contains the requested time, and follows the previous cycle without a gap', () => {
    const moment = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(moment, moment, (created, now) => {
        const cycle = billingCycle(created, now);
        assert.ok(cycle.startMs <= now && now < cycle.endMs);
        assert.equal(cycle.startMs % 86_400_000, 0);
        assert.equal(billingCycle(created, cycle.startMs - 1).endMs, cycle.startMs);
        assert.deepEqual(billingCycle(created, cycle.startMs), cycle);
      }),
    );
  });
});
