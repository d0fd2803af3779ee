import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isUlid, ulid } from './ulid.ts';

describe('ulid', () => {
  it('creates a valid ULID at any time', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (nowMs) => isUlid(ulid(nowMs))));
  });

  it('encodes the time as the ULID specification does', () => {
    assert.equal(ulid(1_469_918_176_385).slice(0, 10), '01ARYZ6S41');
    assert.equal(ulid(0).slice(0, 10), '0000000000');
  });

  it('rejects fractions of a millisecond, negative and unknown times', () => {
    for (const nowMs of [1_469_918_176_385.5, 0.1, -1, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => ulid(nowMs), RangeError, `${nowMs}`);
  });

  it('creates ULIDs that sort by time', () => {
    const later = fc.tuple(fc.integer({ min: 0, max: 2 ** 47 }), fc.integer({ min: 1, max: 2 ** 47 }));
    fc.assert(fc.property(later, ([nowMs, spanMs]) => ulid(nowMs) < ulid(nowMs + spanMs)));
  });

  it('never repeats a ULID, even within one millisecond', () => {
    const made = Array.from({ length: 20_000 }, () => ulid(1_700_000_000_000));
    assert.equal(new Set(made).size, made.length);
  });

  it('isUlid rejects text that only resembles a ULID', () => {
    for (const text of [
      '',
      '01aryz6s41tptwgy5wdqyrmd4h',
      '81ARYZ6S41TPTWGY5WDQYRMD4H',
      '01ARYZ6S41TPTWGY5WDQYRMD4',
      'U'.repeat(26),
    ]) {
      assert.equal(isUlid(text), false, text);
    }
  });
});
