import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { temporaryDirectory } from '../../../test/engines.ts';
import { waitUntil } from './with-deadline.ts';

const now = () => 1_000;
const never = new Promise<string>(() => undefined);

describe('withDeadline', () => {
  it('resolves or rejects as the promise does before the deadline', async () => {
    assert.equal(await waitUntil(Promise.resolve('in time'), { atMs: 61_000 }, now, () => 'late'), 'in time');
    const fails = Promise.reject(new Error('no'));
    await assert.rejects(
      waitUntil(fails, { atMs: 61_000 }, now, () => undefined),
      /no/,
    );
  });

  it('returns the fallback at the deadline, and immediately when it has passed', async () => {
    assert.equal(await waitUntil(never, { atMs: 1_010 }, now, () => 'late'), 'late');
    assert.equal(await waitUntil(Promise.resolve('in time'), { atMs: 1_000 }, now, () => 'late'), 'late');
  });

  it('accepts a response that arrived while the event loop was blocked past the deadline', async () => {
    // In the iteration of the event loop that starts here, timers run before I/O.
    await nextTick();
    const hasAnswered = join(temporaryDirectory(), 'answered');
    const child = spawn('sh', ['-c', 'echo answer; touch "$0"', hasAnswered], { stdio: ['ignore', 'pipe', 'inherit'] });
    const answer = once(child.stdout.setEncoding('utf8'), 'data').then(([text]) => text as string);
    const waiting = waitUntil(answer, { atMs: 1_010 }, now, () => 'late');
    const startedMs = performance.now();
    while (!existsSync(hasAnswered) || performance.now() - startedMs < 50) blockEventLoop(10);
    assert.equal(await waiting, 'answer\n');
  });

  it('returns the fallback when the caller aborts', async () => {
    const caller = new AbortController();
    const waiting = waitUntil(never, { atMs: 61_000, signal: caller.signal }, now, () => 'given up');
    caller.abort();
    assert.equal(await waiting, 'given up');
    assert.equal(await waitUntil(never, { atMs: 61_000, signal: caller.signal }, now, () => 'given up'), 'given up');
  });

  it('works with a deadline beyond the longest possible timer', async () => {
    const soon = new Promise<string>((resolve) => setTimeout(resolve, 20, 'in time'));
    assert.equal(await waitUntil(soon, { atMs: Number.POSITIVE_INFINITY }, now, () => 'late'), 'in time');
  });
});

/** Blocks this thread. */
function blockEventLoop(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}
