import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginOf, periodsOf, spanNamed } from './ranges.ts';

test('a range begins at a full hour, with the current hour in addition', () => {
  const now = Date.parse('2026-11-15T14:20:00Z');
  assert.equal(beginOf('24h', now), '2026-11-14T14:00:00.000Z');
  assert.equal(beginOf('7d', now), '2026-11-08T14:00:00.000Z');
  assert.equal(beginOf('1y', now), undefined);
});

test('last month, this month and yesterday are whole days of the reader’s calendar', () => {
  const now = new Date(2026, 0, 15, 14, 20).getTime();
  const local = (year: number, month: number, day: number) => new Date(year, month, day).toISOString();
  assert.deepEqual(spanNamed('last-month', now), { from: local(2025, 11, 1), to: local(2026, 0, 1) });
  assert.deepEqual(spanNamed('this-month', now), { from: local(2026, 0, 1) });
  assert.deepEqual(spanNamed('yesterday', now), { from: local(2026, 0, 14), to: local(2026, 0, 15) });
  assert.deepEqual(spanNamed('7d', now), { from: beginOf('7d', now) });
  assert.equal(spanNamed('custom', now), null);
});

/** Hours from a local time on, one decision each. */
const hoursFrom = (first: Date, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(first.getTime() + index * 3_600_000).toISOString(),
    allow: 1,
    block: 0,
    challenge: 0,
  }));

test('hours become calendar days of the reader, the first and the last shorter, and no count is lost', () => {
  const periods = periodsOf(hoursFrom(new Date(2026, 10, 8, 14), 169), 24);
  assert.deepEqual(
    periods.map(({ at, allow }) => [new Date(at).getDate(), new Date(at).getHours(), allow]),
    [[8, 14, 10], ...[9, 10, 11, 12, 13, 14].map((day) => [day, 0, 24]), [15, 0, 15]],
  );
});

test('hours become periods that begin at round times of the day', () => {
  const periods = periodsOf(hoursFrom(new Date(2026, 10, 8, 14), 12), 6);
  assert.deepEqual(
    periods.map(({ at, allow }) => [new Date(at).getHours(), allow]),
    [
      [14, 4],
      [18, 6],
      [0, 2],
    ],
  );
});
