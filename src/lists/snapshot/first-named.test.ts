import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourceBit } from '../sources/source-catalogue.ts';
import { firstDayOf, firstNamed } from './first-named.ts';
import { buildTable } from './list-table.ts';
import type { FirstNamed, SnapshotHeader } from './snapshot-file.ts';

const day = (number: number) => Date.UTC(2026, 10, number, 12);
const table = (names: Readonly<Record<string, readonly string[]>>) =>
  buildTable(
    Object.entries(names).map(([name, sources]) => ({
      name,
      flags: 0,
      sources: sources.reduce((bits, source) => bits | sourceBit(source), 0),
      provider: 0,
    })),
  );
const header = (recorded?: FirstNamed): SnapshotHeader => ({
  builtAt: new Date(day(1)).toISOString(),
  fingerprint: '',
  sources: [],
  counts: {},
  droppedSuffixes: [],
  refused: [],
  providers: [],
  roles: [],
  roleWords: [],
  rolePlaces: [],
  ...(recorded === undefined ? {} : { firstNamed: recorded }),
});

describe('the day on which a source first named a domain', () => {
  const first = table({ 'old.com': ['fakefilter'], 'gone.com': ['mailchecker'] });
  const second = table({ 'old.com': ['fakefilter', 'mailchecker'], 'new.com': ['fakefilter'] });
  const third = table({ 'old.com': ['fakefilter'], 'new.com': ['fakefilter'], 'newer.com': ['mailchecker'] });

  it('is unknown in the first snapshot, which knows since when it records', () => {
    const recorded = firstNamed(null, first, day(1));
    assert.deepEqual([recorded.since, recorded.added], [new Date(day(1)).toISOString(), {}]);
    assert.equal(firstDayOf(header(recorded), 'fakefilter', 'old.com'), null);
  });

  it('is the day of the snapshot in which it is new, until the source drops the name', () => {
    const two = firstNamed({ header: header(firstNamed(null, first, day(1))), table: first }, second, day(2));
    assert.equal(firstDayOf(header(two), 'fakefilter', 'new.com'), '2026-11-02');
    assert.equal(firstDayOf(header(two), 'mailchecker', 'old.com'), '2026-11-02');
    assert.equal(firstDayOf(header(two), 'fakefilter', 'old.com'), null);
    const three = firstNamed({ header: header(two), table: second }, third, day(3));
    assert.equal(three.since, new Date(day(1)).toISOString());
    assert.equal(firstDayOf(header(three), 'fakefilter', 'new.com'), '2026-11-02');
    assert.equal(firstDayOf(header(three), 'mailchecker', 'old.com'), null);
    assert.equal(firstDayOf(header(three), 'mailchecker', 'newer.com'), '2026-11-03');
    // A part of a name is another name.
    assert.equal(firstDayOf(header(three), 'mailchecker', 'er.com'), null);
  });

  it('is recorded from the snapshot of a version that did not record', () => {
    const { since, added } = firstNamed({ header: header(), table: first }, second, day(2));
    assert.deepEqual([since, Object.keys(added)], [new Date(day(1)).toISOString(), ['2026-11-02']]);
  });

  it('keeps the newest names when there are too many', () => {
    const two = firstNamed({ header: header(), table: first }, second, day(2));
    const three = firstNamed({ header: header(two), table: second }, third, day(3), 2);
    assert.deepEqual(three.added, {
      '2026-11-03': { mailchecker: 'newer.com' },
      '2026-11-02': { fakefilter: 'new.com' },
    });
  });

  it('starts again when the sources are others', () => {
    const recorded = { ...firstNamed(null, first, day(1)), sources: ['other'] };
    assert.deepEqual(firstNamed({ header: header(recorded), table: first }, second, day(2)).added, {});
  });
});
