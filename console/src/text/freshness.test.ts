import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addition, freshness } from './freshness.ts';

const now = new Date(2026, 10, 18, 12).getTime();
const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).toISOString();

for (const [edition, expected] of [
  [{ version: 'own', date: null }, 'part of this version'],
  [{ version: '1.2', date: at(14) }, 'edition of 14 Nov'],
  [{ date: at(14), checkedAt: at(18, 9) }, 'edition of 14 Nov, checked 3 h ago'],
  [{ date: null, checkedAt: null }, 'never downloaded'],
  [{ version: '1.2', date: null }, ''],
] as const) {
  test(`how fresh a source is: “${expected}”`, () => assert.equal(freshness(edition, now), expected));
}

for (const [count, alone, expected] of [
  [8_883, 312, '8,883 entries, 312 on no other list'],
  [1, null, '1 entry'],
  [40, 0, '40 entries'],
  [0, null, ''],
] as const) {
  test(`what a source adds: “${expected}”`, () => assert.equal(addition(count, alone), expected));
}
