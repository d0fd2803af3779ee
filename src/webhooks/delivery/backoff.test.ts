import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retryDelayMs } from './backoff.ts';

const dayMs = 86_400_000;

/** All delays until the last attempt. */
function delays(random: () => number): number[] {
  const all: number[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const delay = retryDelayMs(attempts, random, 0);
    if (delay === null) return all;
    all.push(delay);
  }
}

describe('retries of deliveries', () => {
  it('retries of deliveries: there are ten, with increasing delays, within a day', () => {
    const longest = delays(() => 0);
    assert.equal(longest.length, 10);
    assert.deepEqual(
      longest.toSorted((one, other) => one - other),
      longest,
    );
    const totalMs = longest.reduce((sum, delay) => sum + delay, 0);
    assert.ok(totalMs <= dayMs && totalMs > 0.9 * dayMs, String(totalMs));
  });

  it('retries of deliveries: jitter shortens a delay by up to a fifth and never extends it', () => {
    const [longest, shortest] = [delays(() => 0), delays(() => 1)];
    assert.deepEqual(
      shortest,
      longest.map((delay) => Math.round(0.8 * delay)),
    );
    assert.equal(
      retryDelayMs(1, () => 0.5, 0),
      4_500,
    );
  });

  it('retries of deliveries honour Retry-After up to an hour, without additional attempts', () => {
    const delayOf = (attempts: number, askedMs: number) => retryDelayMs(attempts, () => 1, askedMs);
    assert.deepEqual([delayOf(1, 1_000), delayOf(1, 90_000), delayOf(1, dayMs)], [4_000, 90_000, 3_600_000]);
    assert.equal(delayOf(10, dayMs), 8 * 3_600_000);
    assert.equal(delayOf(11, 90_000), null);
  });
});
