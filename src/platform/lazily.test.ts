import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazily } from './lazily.ts';

test('lazily creates its value on first use, once', () => {
  let made = 0;
  const value = lazily(() => {
    made += 1;
    return undefined;
  });
  assert.equal(made, 0);
  assert.deepEqual([value(), value(), made], [undefined, undefined, 1]);
});

test('lazily attempts again after creating its value failed', () => {
  let attempts = 0;
  const value = lazily(() => {
    attempts += 1;
    if (attempts === 1) throw new Error('not yet');
    return attempts;
  });
  assert.throws(value, /not yet/);
  assert.equal(value(), 2);
});
