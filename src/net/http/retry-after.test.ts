import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retryAfterMs } from './retry-after.ts';

const nowMs = Date.UTC(2026, 10, 15, 0, 20, 0);
const cases: [string | undefined, number][] = [
  ['120', 120_000],
  [' 5 ', 5_000],
  ['0', 1_000],
  ['999999999', 3_600_000],
  ['Sun, 15 Nov 2026 00:21:30 GMT', 90_000],
  ['Sun, 15 Nov 2026 00:00:00 GMT', 1_000],
  ['soon', 60_000],
  ['', 60_000],
  [undefined, 60_000],
];

describe('Retry-After', () => {
  for (const [header, expected] of cases) {
    it(`Retry-After "${header}" is a wait of ${expected} ms`, () =>
      assert.equal(retryAfterMs(header, nowMs), expected));
  }
});
