import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoggedRow } from '../decisions/decisions-store.ts';
import { batchOf, createEntryBatches } from './entry-batch.ts';
import { makeSegment } from './segment.ts';
import { decodeSegment } from './segment-codec.ts';

const row = (number: number, more: Partial<LoggedRow> = {}): LoggedRow => ({
  id: `01M7GFBHY6E8HDV1GB98F${String(number).padStart(5, '0')}`,
  gateId: 'gate',
  action: 'allow',
  ruleId: null,
  emailKey: `user-${number}@example.com`,
  domain: 'example.com',
  ip: '203.0.113.7',
  entry: '["request","1"]',
  ...more,
});

describe('a batch of entries', () => {
  it('a batch of entries returns every entry unchanged and in order, also from a segment', () => {
    const rows = [
      row(1),
      row(2, { emailKey: null, ip: null, ruleId: 'rule', entry: JSON.stringify(['tab\t, line\n', 'ü€😀']) }),
      row(3, { emailKey: '"jane\tdoe\n"@example.com', gateId: 'other' }),
      row(4, { emailKey: 'jürgen@example.com', entry: JSON.stringify(['€'.repeat(400_000)]) }),
    ];
    const batch = batchOf(rows);
    assert.deepEqual(batch.rows(), rows);
    assert.deepEqual([...batch.gateIds], ['gate', 'other']);
    assert.deepEqual(decodeSegment(makeSegment(batch).body), rows);
  });

  it('a batch of entries knows the first and the last id, in whatever order they came', () => {
    const { firstId, lastId } = batchOf([row(5), row(2), row(9), row(7)]);
    assert.deepEqual([firstId, lastId], [row(2).id, row(9).id]);
  });

  it('a batch of entries that was released is empty when it is opened again, and holds nothing of before', () => {
    const open = createEntryBatches();
    const first = open();
    first.add(row(1, { gateId: 'other', entry: JSON.stringify(['x'.repeat(2_000_000)]) }));
    first.release();
    const second = open();
    assert.equal(second, first);
    assert.deepEqual([second.length, second.rows(), [...second.gateIds], second.terms().length], [0, [], [], 0]);
    second.add(row(2));
    assert.deepEqual([second.rows(), second.firstId, second.lastId], [[row(2)], row(2).id, row(2).id]);
    assert.deepEqual(second.terms(), batchOf([row(2)]).terms());
  });

  it('batches of entries that are open at the same time do not share their entries', () => {
    const open = createEntryBatches();
    const [one, other] = [open(), open()];
    one.add(row(1));
    other.add(row(2));
    assert.deepEqual([one.rows(), other.rows()], [[row(1)], [row(2)]]);
  });
});
