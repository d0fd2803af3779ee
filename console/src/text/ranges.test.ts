import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginOf, periodsOf } from './ranges.ts';

test('a range begins at a full hour, with the current hour in addition', () => {
  const now = Date.parse('2026-11-15T14:20:00Z');
  assert.equal(beginOf('24h', now), '2026-11-14T14:00:00.000Z');
  assert.equal(beginOf('7d', now), '2026-11-08T14:00:00.000Z');
  assert.equal(beginOf('1y', now), undefined);
});

test('169 hours become seven periods, and no count is lost', () => {
  const first = Date.parse('2026-11-08T14:00:00Z');
  const hours = Array.from({ length: 169 }, (_, index) => ({
    at: new Date(first + index * 3_600_000).toISOString(),
    allow: 1,
    block: index === 168 ? 5 : 0,
    challenge: 0,
  }));
  const periods = periodsOf(hours, 24);
  assert.equal(periods.length, 7);
  assert.deepEqual(periods.at(-1), { at: '2026-11-14T14:00:00.000Z', allow: 25, block: 5, challenge: 0 });
  assert.equal(
    periods.reduce((sum, { allow }) => sum + allow, 0),
    169,
  );
});
