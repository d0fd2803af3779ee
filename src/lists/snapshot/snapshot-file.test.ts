import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { buildTable } from './list-table.ts';
import { decodeSnapshot, encodeSnapshot, formatVersion, type SnapshotHeader } from './snapshot-file.ts';

const header: SnapshotHeader = {
  builtAt: '2026-01-03T00:00:00.000Z',
  fingerprint: 'abc',
  sources: [{ name: 'fakefilter', version: '1', date: null, count: 2, licence: 'MIT' }],
  counts: { entries: 3 },
  droppedSuffixes: ['duckdns.org'],
  refused: [],
  providers: ['emailfake.com', 'müll.example'],
  roles: ['info'],
  roleWords: ['customer'],
  rolePlaces: ['de'],
};
const table = buildTable([
  { name: 'a.com', flags: 1, sources: 3, provider: 1 },
  { name: 'b.co.uk', flags: 2, sources: 0, provider: 0 },
  { name: 'c.org', flags: 5, sources: 7, provider: 2 },
]);
const file = encodeSnapshot(header, table);

describe('a snapshot file', () => {
  it('a snapshot file is read back as it was written', () => {
    assert.deepEqual(decodeSnapshot(file), { header, table, sizeBytes: file.byteLength });
  });

  it('a snapshot file is read from bytes at any alignment', () => {
    const shifted = new Uint8Array(file.byteLength + 3);
    shifted.set(file, 3);
    assert.deepEqual(decodeSnapshot(shifted.subarray(3)).table, table);
  });

  it('a snapshot file is refused when cut anywhere', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: file.byteLength - 1 }), (length) => {
        assert.throws(() => decodeSnapshot(file.slice(0, length)), /not a list snapshot|cut/);
      }),
    );
  });

  it('a snapshot file is refused with any bit flipped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: file.byteLength - 1 }), fc.integer({ min: 0, max: 7 }), (at, bit) => {
        const damaged = file.slice();
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        assert.throws(() => decodeSnapshot(damaged));
      }),
      { numRuns: 500 },
    );
  });

  it('a snapshot file says which format it has when it is another one', () => {
    const newer = file.slice();
    newer[8] = formatVersion + 1;
    assert.throws(() => decodeSnapshot(newer), new RegExp(`format ${formatVersion + 1}`));
  });

  it('a snapshot file is refused when it is something else', () => {
    assert.throws(() => decodeSnapshot(Buffer.from('<!doctype html>'.repeat(20))), /not a list snapshot/);
    assert.throws(() => decodeSnapshot(new Uint8Array(0)), /not a list snapshot/);
  });
});
