import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blockLine, compressLines, fieldsOf, isIntactBlock, keepRows, readBlock } from './block-codec.ts';

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

describe('a damaged block', () => {
  const body = compressLines(['a\t1\n', 'b\t2\n', 'c\t3\n']);

  it('is noticed whichever bit has changed [D706]', () => {
    assert.equal(isIntactBlock(body), true);
    for (let bit = 0; bit < (body.length - 12) * 8; bit += 1) {
      const changed = Uint8Array.from(body);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.equal(isIntactBlock(changed), false, `bit ${bit}`);
    }
  });

  it('is noticed when it is cut off or no block at all', () => {
    for (const changed of [body.subarray(0, -13), body.subarray(5), new Uint8Array(), Buffer.from('no block')])
      assert.equal(isIntactBlock(changed), false);
  });

  it('of an earlier release, without a checksum, is read as before', () => {
    const earlier = body.subarray(0, -12);
    assert.equal(isIntactBlock(earlier), true);
    assert.deepEqual(readBlock(earlier), readBlock(body));
  });
});
