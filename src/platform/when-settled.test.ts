import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whenSettled } from './when-settled.ts';

describe('going on when a value has settled', () => {
  it('a value that is there gives the result at once, without a promise', () => {
    assert.equal(
      whenSettled(2, (value) => value + 1),
      3,
    );
  });

  it('a promise gives a promise of the result', async () => {
    const result = whenSettled(Promise.resolve(2), (value) => value + 1);
    assert.ok(result instanceof Promise);
    assert.equal(await result, 3);
  });

  it('a promise that fails fails the result, and nothing goes on', async () => {
    const failed = whenSettled(Promise.reject(new Error('no')), () => assert.fail('went on'));
    await assert.rejects(Promise.resolve(failed), /^Error: no$/);
  });
});
