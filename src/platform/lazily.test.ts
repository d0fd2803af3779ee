import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazily } from './lazily.ts';

test('a lazy value is made when it is first asked for, and once', () => {
  let made = 0;
  const value = lazily(() => {
    made += 1;
    return undefined;
  });
  assert.equal(made, 0);
  assert.deepEqual([value(), value(), made], [undefined, undefined, 1]);
});

test('a lazy value that could not be made is tried again', () => {
  let tries = 0;
  const value = lazily(() => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return tries;
  });
  assert.throws(value, /not yet/);
  assert.equal(value(), 2);
});
