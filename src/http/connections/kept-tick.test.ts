import assert from 'node:assert/strict';
import { executionAsyncResource } from 'node:async_hooks';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { keepTick, keptTick } from './kept-tick.ts';

describe('the tick that is kept', () => {
  it('the tick that is kept looks like every other, and stays the same', async () => {
    keepTick();
    await nextTurn();
    const { resource } = keptTick;
    assert.ok(resource !== null);
    const { promise, resolve } = Promise.withResolvers<object>();
    process.nextTick(() => resolve(executionAsyncResource()));
    const other = await promise;
    assert.notEqual(resource, other);
    assert.ok('callback' in resource);
    assert.deepEqual(Reflect.ownKeys(resource), Reflect.ownKeys(other));
    keepTick();
    await nextTurn();
    assert.equal(keptTick.resource, resource);
  });
});
