import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repeat } from './repeat.ts';

describe('repeated work', () => {
  it('repeated work comes round again, one round at a time, also after a failure', async () => {
    let running = 0;
    let rounds = 0;
    const failures: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const repeating = repeat(
      1,
      async () => {
        running += 1;
        assert.equal(running, 1);
        await new Promise((done) => setImmediate(done));
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

  it('repeated work begins no further round once it is stopped, and stopping it waits for the round under way', async () => {
    let rounds = 0;
    let ended = 0;
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: finish, resolve: finished } = Promise.withResolvers<void>();
    const fail = (error: unknown) => assert.fail(String(error));
    const repeating = repeat(
      1,
      async () => {
        rounds += 1;
        begin();
        await finish;
        ended += 1;
      },
      fail,
    );
    const alive = setInterval(() => {}, 1_000);
    await begun;
    const stopped = repeating.stop();
    finished();
    await stopped;
    assert.equal(ended, 1);
    // Timers of one length run out in the order in which they were set: a further round would come before these three.
    const { promise: thrice, resolve: third } = Promise.withResolvers<void>();
    let others = 0;
    const other = repeat(
      1,
      async () => {
        others += 1;
        if (others === 3) third();
      },
      fail,
    );
    await thrice;
    await other.stop();
    clearInterval(alive);
    assert.equal(rounds, 1);
  });

  it('repeated work begins its first round at a time of its own', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const repeating = repeat(
      1_000_000,
      async () => resolve(),
      (error) => assert.fail(String(error)),
      1,
    );
    const alive = setInterval(() => {}, 1_000);
    await promise;
    clearInterval(alive);
    await repeating.stop();
  });
});
