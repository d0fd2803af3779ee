import assert from 'node:assert/strict';
import { it } from 'node:test';
import { storable } from './text-limits.ts';

it('text that not every database stores is rejected with everything that may be wrong with it', () => {
  for (const text of ['a\0b', '\ud800', 'a\udc00']) assert.equal(storable.holds(text), false);
  for (const text of ['', 'ü', '😀', '\u200d']) assert.equal(storable.holds(text), true);
  assert.match(
    storable.problem('The name'),
    /^The name must be text without NUL characters and unpaired surrogates\.$/,
  );
});
