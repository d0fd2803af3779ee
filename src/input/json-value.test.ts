import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { characterCount } from './json-value.ts';

describe('characterCount', () => {
  it('counts code points as the iterator of a text does, unpaired surrogates included', () => {
    const unit = fc.constantFrom('a', 'é', '\ud83d', '\ude00', '😀');
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = units.join('');
        assert.equal(characterCount(text), [...text].length);
      }),
    );
  });
});
