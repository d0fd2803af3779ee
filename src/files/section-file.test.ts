import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeSections, encodeSections, type SectionFormat } from './section-file.ts';

const format: SectionFormat<{ readonly name: string }> = { name: 'a test file', magic: 'SPTESTS\n', version: 1 };
const encode = () => encodeSections(format, { name: 'Zürich' }, [Uint32Array.of(1, 2), Uint8Array.of(3, 4, 5)]);

describe('a file of sections', () => {
  it('returns its header and sections', () => {
    const { header, words, bytes } = decodeSections(format, encode());
    assert.equal(header.name, 'Zürich');
    assert.deepEqual(
      [[...words(0)], [...bytes(1)]],
      [
        [1, 2],
        [3, 4, 5],
      ],
    );
  });

  it('is read from bytes at any offset', () => {
    const file = encode();
    const shifted = new Uint8Array(file.length + 1);
    shifted.set(file, 1);
    assert.deepEqual([...decodeSections(format, shifted.subarray(1)).words(0)], [1, 2]);
  });

  it('is rejected when any byte of it differs', () => {
    const file = encode();
    for (let at = 0; at < file.length; at += 1) {
      // The last bytes of the prelude are reserved.
      if (at >= 28 && at < 32) continue;
      const damaged = Uint8Array.from(file);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      assert.throws(() => decodeSections(format, damaged), `byte ${at}`);
    }
  });

  it('is rejected when it is cut, of another kind, or of another version', () => {
    const file = encode();
    for (let length = 0; length < file.length; length += 1)
      assert.throws(() => decodeSections(format, file.subarray(0, length)));
    assert.throws(() => decodeSections({ ...format, magic: 'SPOTHER\n' }, file));
    assert.throws(() => decodeSections({ ...format, version: 2 }, file));
  });
});
