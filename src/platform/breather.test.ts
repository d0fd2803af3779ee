import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBreather } from './breather.ts';

const busyFor = (ms: number): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

describe('a breather', () => {
  it('a breather lets others have their turn once work has kept the process for a slice, and not before', async () => {
    const breather = createBreather(20);
    let others = 0;
    setImmediate(() => {
      others += 1;
    });
    assert.equal(breather(), null);
    assert.equal(others, 0);
    busyFor(25);
    await breather();
    assert.equal(others, 1);
  });

  it('a breather counts anew after others had their turn', async () => {
    const breather = createBreather(20);
    breather();
    busyFor(25);
    await breather();
    await new Promise((done) => setImmediate(done));
    assert.equal(breather(), null);
  });
});
