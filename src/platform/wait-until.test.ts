import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { temporaryDirectory } from '../../test/engines.ts';
import { waitUntil } from './wait-until.ts';

const now = () => 1_000;
const never = new Promise<string>(() => undefined);

describe('waiting', () => {
  it('waiting for a promise gives what the promise gives, or rejects as it does', async () => {
    assert.equal(await waitUntil(Promise.resolve('in time'), { atMs: 61_000 }, now, () => 'late'), 'in time');
    const fails = Promise.reject(new Error('no'));
    await assert.rejects(
      waitUntil(fails, { atMs: 61_000 }, now, () => undefined),
      /no/,
    );
  });

  it('waiting for a promise ends at the deadline, and does not begin after it', async () => {
    assert.equal(await waitUntil(never, { atMs: 1_010 }, now, () => 'late'), 'late');
    assert.equal(await waitUntil(Promise.resolve('in time'), { atMs: 1_000 }, now, () => 'late'), 'late');
  });

  it('waiting for a promise takes an answer that came in while the process stood still past the deadline', async () => {
    // In the turn of the loop that begins here timers come before the network.
    await nextTurn();
    const hasAnswered = join(temporaryDirectory(), 'answered');
    const child = spawn('sh', ['-c', 'echo answer; touch "$0"', hasAnswered], { stdio: ['ignore', 'pipe', 'inherit'] });
    const answer = once(child.stdout.setEncoding('utf8'), 'data').then(([text]) => text as string);
    const waiting = waitUntil(answer, { atMs: 1_010 }, now, () => 'late');
    const beganMs = performance.now();
    while (!existsSync(hasAnswered) || performance.now() - beganMs < 50) standStill(10);
    assert.equal(await waiting, 'answer\n');
  });

  it('waiting for a promise ends when the caller gives up', async () => {
    const caller = new AbortController();
    const waiting = waitUntil(never, { atMs: 61_000, signal: caller.signal }, now, () => 'given up');
    caller.abort();
    assert.equal(await waiting, 'given up');
    assert.equal(await waitUntil(never, { atMs: 61_000, signal: caller.signal }, now, () => 'given up'), 'given up');
  });

  it('waiting for a promise works with a deadline that is too far away for a timer', async () => {
    const soon = new Promise<string>((resolve) => setTimeout(resolve, 20, 'in time'));
    assert.equal(await waitUntil(soon, { atMs: Number.POSITIVE_INFINITY }, now, () => 'late'), 'in time');
  });
});

/** Nothing happens in this thread meanwhile. */
function standStill(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}
