import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repeat } from './repeat.ts';

describe('repeated work', () => {
  it('comes round again, one round at a time, also after a failure', async () => {
    let running = 0;
    let rounds = 0;
    const failures: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const repeating = repeat(
      1,
      async () => {
        running += 1;
        assert.equal(running, 1);
        await new Promise((done) => setTimeout(done, 5));
        running -= 1;
        rounds += 1;
        if (rounds === 3) resolve();
        if (rounds === 1) throw new Error('once');
      },
      (error) => failures.push(error),
    );
    const alive = setInterval(() => {}, 1_000);
    await promise;
    await repeating.stop();
    clearInterval(alive);
    assert.equal(failures.length, 1);
    assert.ok(rounds >= 3);
  });

  it('is over when stopping it resolves', async () => {
    let ended = false;
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const repeating = repeat(
      1,
      async () => {
        begin();
        await new Promise((done) => setTimeout(done, 20));
        ended = true;
      },
      (error) => assert.fail(String(error)),
    );
    const alive = setInterval(() => {}, 1_000);
    await begun;
    await repeating.stop();
    clearInterval(alive);
    assert.equal(ended, true);
  });
});
