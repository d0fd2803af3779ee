import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectionError, RateLimitError, ServerError } from '../errors.ts';
import { pauseBeforeRetry } from './retry.ts';

const policy = { maxAttempts: 100, backoffMs: 500, repeatable: true };
const failed = (attempts: number) => new ConnectionError('It broke', { attempts });

describe('the pause before the next attempt', () => {
  const longest: readonly (readonly [number, number])[] = [
    [1, 500],
    [2, 1_000],
    [3, 2_000],
    [4, 4_000],
    [5, 8_000],
    [6, 8_000],
    [99, 8_000],
  ];
  for (const [attempts, most] of longest) {
    test(`the pause before the next attempt after ${attempts} is anything up to ${most} ms [C3]`, () => {
      for (const share of [0, 0.25, 0.999]) {
        assert.equal(
          pauseBeforeRetry(failed(attempts), policy, () => share),
          share * most,
        );
      }
    });
  }

  test('the pause before the next attempt is what Retry-After of a 429 says, without jitter', () => {
    const error = new RateLimitError('Too many', { status: 429, attempts: 1, retryAfterMs: 7_000 });
    assert.equal(
      pauseBeforeRetry(error, policy, () => 0.5),
      7_000,
    );
  });

  test('the pause after a 503 ignores Retry-After', () => {
    const error = new ServerError('Away', { status: 503, attempts: 1, retryAfterMs: 7_000 });
    assert.equal(
      pauseBeforeRetry(error, policy, () => 0.5),
      250,
    );
  });
});
