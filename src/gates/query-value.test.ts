import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../errors.ts';
import { readQuery, readSpan } from './query-value.ts';
import { createProblems } from './rules/problems.ts';

const read = (from: unknown) => {
  const problems = createProblems();
  const { fromMs } = readSpan({ from, to: undefined }, problems);
  return problems.count > 0 ? 'refused' : fromMs;
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
    it(`${JSON.stringify(given)} is ${expected}`, () => assert.equal(read(given), expected));
  }

  it('every moment in the form of the answers is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (seconds) => {
        const text = `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;
        assert.equal(read(text), seconds * 1000);
      }),
    );
  });

  it('is read or refused, and never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void read(text)));
  });
});

it('a query with several problems names them all at once', () => {
  assert.throws(
    () => readQuery({ a: ['1', '2'], b: ['3', '4'] }, ({ text }) => [text('a'), text('b')]),
    (error) => error instanceof AppError && Object.keys(error.errors ?? {}).join() === 'a,b',
  );
});
