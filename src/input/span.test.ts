import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readInput } from '../../test/read-input.ts';
import { object } from './object.ts';
import { query } from './parameter.ts';
import { checkSpan, spanFields, spanOf, spanParameters } from './span.ts';

const read = (from: unknown) => {
  const result = readInput(object(spanFields), { from });
  return result.ok ? spanOf(result.value).fromMs : 'refused';
};

describe('a time in a query or a body', () => {
  const rows: readonly (readonly [unknown, number | 'refused' | undefined])[] = [
    ['2026-11-15', Date.UTC(2026, 10, 15)],
    ['2026-11-15T00:20:00+00:00', Date.UTC(2026, 10, 15, 0, 20)],
    ['2026-11-15T00:20:00 00:00', Date.UTC(2026, 10, 15, 0, 20)],
    ['2026-11-15T00:20:00Z', Date.UTC(2026, 10, 15, 0, 20)],
    ['2026-11-15T00:20:00', Date.UTC(2026, 10, 15, 0, 20)],
    ['2026-11-15T00:20Z', Date.UTC(2026, 10, 15, 0, 20)],
    ['2026-11-15T00:20:00.5Z', Date.UTC(2026, 10, 15, 0, 20, 0, 500)],
    ['2026-11-15T01:20:00+01:00', Date.UTC(2026, 10, 15, 0, 20)],
    ['2026-11-14T19:20:00-0500', Date.UTC(2026, 10, 15, 0, 20)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    [undefined, undefined],
    ['2026-11-15T14:20:00+14:00', Date.UTC(2026, 10, 15, 0, 20)],
    ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
    ['2026-11-15T14:20:00+14:01', 'refused'],
    ['2026-11-15T00:20:00-23:00', 'refused'],
    ['2026-11-15T00:20:00+01:60', 'refused'],
    ['9999-12-31T23:59:59-12:00', 'refused'],
    ['10000-01-01T00:00:00Z', 'refused'],
    ['2026-02-29', 'refused'],
    ['2026-13-01', 'refused'],
    ['2026-11-15T24:00:00Z', 'refused'],
    ['2026-11-15T00:60:00Z', 'refused'],
    ['1969-12-31', 'refused'],
    ['15.11.2026', 'refused'],
    ['2026-11-15T00:20:00+1', 'refused'],
    ['', 'refused'],
    [1_700_000_000, 'refused'],
    [null, 'refused'],
    [['2026-11-15'], 'refused'],
  ];
  for (const [given, expected] of rows) {
    it(`a time in a query or a body ${JSON.stringify(given)} is ${expected}`, () =>
      assert.equal(read(given), expected));
  }

  it('every moment in the form of the answers is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (seconds) => {
        const text = `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;
        assert.equal(read(text), seconds * 1000);
      }),
    );
  });

  it('a time in a query or a body is read or refused, and never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void read(text)));
  });
});

it('a query with several problems reports all of them', () => {
  const read = readInput(query(spanParameters, { together: checkSpan }), { from: ['1', '2'], to: 'x' });
  assert.ok(!read.ok);
  assert.deepEqual(Object.keys(read.errors), ['from', 'to']);
});

it('a span that ends before it begins is refused', () => {
  const read = readInput(query(spanParameters, { together: checkSpan }), { from: '2026-11-16', to: '2026-11-15' });
  assert.deepEqual(read, { ok: false, errors: { from: ['from must not be after to.'] } });
});
