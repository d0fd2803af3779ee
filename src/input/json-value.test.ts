import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { characterCount, hasControlCharacters } from './json-value.ts';

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

describe('hasControlCharacters', () => {
  it('is true for characters that change how the text around them is shown', () => {
    const controls = [
      '\u001b',
      '\n',
      '\u009b',
      '\u2028',
      '\u202e',
      '\u2066',
      '\u200f',
      '\u200b',
      '\ufeff',
      '\u{e0041}',
    ];
    for (const control of controls) assert.equal(hasControlCharacters(`a${control}b`), true, JSON.stringify(control));
  });

  it('is false for text of any language, with the joiners that Persian, Hindi and emoji are written with', () => {
    for (const text of ['Jane Doe', 'شرکت نمونه', 'می\u200cخواهم', 'क्\u200dष', '👩\u200d💻', 'לוי'])
      assert.equal(hasControlCharacters(text), false, text);
  });
});
