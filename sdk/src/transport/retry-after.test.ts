import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterMs } from './retry-after.ts';

const nowMs = Date.UTC(2026, 10, 15, 12, 0, 0);
const cases: readonly (readonly [string, Record<string, string>, number | null])[] = [
  ['nothing', {}, null],
  ['seconds', { 'retry-after': '120' }, 120_000],
  ['no seconds', { 'retry-after': '0' }, 0],
  ['a date', { 'retry-after': 'Sun, 15 Nov 2026 12:01:00 GMT' }, 60_000],
  ['a date in an old form', { 'retry-after': 'Sunday, 15-Nov-26 12:01:00 GMT' }, 60_000],
  ['a date that has passed', { 'retry-after': 'Sun, 15 Nov 2026 11:59:00 GMT' }, 0],
  [
    'a date by a clock that is an hour ahead',
    { 'retry-after': 'Sun, 15 Nov 2026 13:01:00 GMT', date: 'Sun, 15 Nov 2026 13:00:00 GMT' },
    60_000,
  ],
  ['a date beside one that is none', { 'retry-after': 'Sun, 15 Nov 2026 12:01:00 GMT', date: 'today' }, 60_000],
  ['words', { 'retry-after': 'soon' }, null],
  ['a negative number', { 'retry-after': '-5' }, null],
  ['a fraction', { 'retry-after': '1.5' }, null],
  ['an empty value', { 'retry-after': '' }, null],
];
for (const [name, headers, expected] of cases) {
  test(`Retry-After with ${name} is ${expected}`, () => {
    assert.equal(retryAfterMs(new Headers(headers), nowMs), expected);
  });
}
