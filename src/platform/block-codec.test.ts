import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blockLine, compressLines, fieldsOf, keepRows, readBlock } from './block-codec.ts';

describe('block codec', () => {
  const rows = [
    ['com.example', 'account', '0'],
    ['', 'ü€😀', '["a\\tb"]'],
  ];

  it('returns the rows of a compressed block in order, with Unicode and empty fields', () => {
    assert.deepEqual(readBlock(compressLines(rows.map(blockLine))), rows);
    assert.deepEqual(readBlock(compressLines(Buffer.from(rows.map(blockLine).join('')))), rows);
  });

  it('returns no rows for a compressed block without rows', () => {
    assert.deepEqual(readBlock(compressLines([])), []);
  });

  it('writes null as an empty field and a number as its digits', () => {
    assert.deepEqual(fieldsOf(blockLine(['a', null, 7])), [['a', '', '7']]);
  });

  it('keepRows returns the new block, null when nothing changes, and "empty" when no row is left', () => {
    const encode = (kept: readonly number[]) => kept.join();
    assert.equal(
      keepRows([1, 2, 3], (row) => row !== 2, encode),
      '1,3',
    );
    assert.equal(
      keepRows([1, 2], () => true, encode),
      null,
    );
    assert.equal(
      keepRows([1, 2], () => false, encode),
      'empty',
    );
  });
});
