import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mapMaybePromise } from './map-maybe-promise.ts';

describe('mapMaybePromise', () => {
  it('returns the result of a value without a promise', () => {
    assert.equal(
      mapMaybePromise(2, (value) => value + 1),
      3,
    );
  });

  it('returns a promise of the result of a promise', async () => {
    const result = mapMaybePromise(Promise.resolve(2), (value) => value + 1);
    assert.ok(result instanceof Promise);
    assert.equal(await result, 3);
  });

  it('rejects when the promise rejects, without a call of the function', async () => {
    const failed = mapMaybePromise(Promise.reject(new Error('no')), () => assert.fail('called'));
    await assert.rejects(Promise.resolve(failed), /^Error: no$/);
  });
});
