import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
