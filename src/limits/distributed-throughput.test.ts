import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Throughput } from '../http/admission.ts';
import type { TakenTokens, TokenRequest } from '../http/limit-counters.ts';
import { createDistributedThroughput } from './distributed-throughput.ts';

const caller = { accountId: 'a', plan: { rateLimit: 10 } };

/** The limiter of one of two processes; the test controls its counters and its clock. */
function start(answer: (request: TokenRequest) => Promise<TakenTokens>, processes = 2) {
  const requests: TokenRequest[] = [];
  const state = { nowMs: 0, isUnavailable: false, fallbacks: 0 };
  const counters = {
    takeTokens(_account: string, request: TokenRequest) {
      requests.push(request);
      return answer(request);
    },
    processes: () => processes,
    isUnavailable: () => state.isUnavailable,
  };
  const { take } = createDistributedThroughput(
    counters,
    () => state.nowMs,
    () => {
      state.fallbacks += 1;
    },
  );
  return { requests, state, take };
}

const grantAll = (left: number) => async (request: TokenRequest) => ({ taken: request.wanted, left });

describe('distributed throughput', () => {
  it('distributed throughput asks once for all requests that arrived during a call, and grants in order of arrival', async () => {
    const calls: { request: TokenRequest; resolve(taken: TakenTokens): void }[] = [];
    const { take } = start((request) => new Promise<TakenTokens>((resolve) => calls.push({ request, resolve })), 1);
    const answers = Array.from({ length: 5 }, () => take(caller));
    calls[0]?.resolve({ taken: 1, left: 2 });
    await answers[0];
    await new Promise(setImmediate);
    calls[1]?.resolve({ taken: 2, left: 0 });
    const all = await Promise.all(answers);
    assert.deepEqual(
      calls.map(({ request }) => request.wanted),
      [1, 4],
    );
    assert.deepEqual(
      all.map(({ allowed, remaining }) => [allowed, remaining]),
      [
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ],
    );
  });

  it('distributed throughput sends the last known level plus the refill since, so that a lost bucket does not start full', async () => {
    const { requests, state, take } = start(grantAll(0));
    for (const passedMs of [0, 0, 500, 2_000]) {
      state.nowMs += passedMs;
      await take(caller);
    }
    assert.deepEqual(
      requests.map(({ knownLevel, owed }) => [knownLevel, owed]),
      [
        [10, 0],
        [0, 0],
        [5, 0],
        [10, 0],
      ],
    );
  });

  it('distributed throughput grants its share while the counters are unavailable, and counts each such request', async () => {
    const { requests, state, take } = start(grantAll(8));
    await take(caller);
    state.isUnavailable = true;
    const answers: Throughput[] = [];
    for (let index = 0; index < 6; index += 1) answers.push(await take(caller));
    assert.deepEqual(
      answers.map(({ allowed }) => allowed),
      [true, true, true, true, false, false],
    );
    assert.equal(answers[5]?.retryAfterSeconds, 1);
    state.nowMs += 200;
    assert.equal((await take(caller)).allowed, true);
    assert.equal((await take(caller)).allowed, false);
    assert.equal(state.fallbacks, 8);
    assert.equal(requests.length, 1);
  });

  it('distributed throughput grants from its share when a call fails', async () => {
    const { state, take } = start(() => Promise.reject(new Error('no answer within 50 ms')));
    const answers = await Promise.all(Array.from({ length: 6 }, () => take(caller)));
    assert.deepEqual(
      answers.map(({ allowed }) => allowed),
      [true, true, true, true, true, false],
    );
    assert.equal(state.fallbacks, 6);
  });

  it('distributed throughput reports once what is left of its share, and the grants of the last 250 ms, after an outage', async () => {
    const { requests, state, take } = start(grantAll(8));
    await take(caller);
    state.isUnavailable = true;
    for (let index = 0; index < 3; index += 1) await take(caller);
    state.nowMs += 400;
    state.isUnavailable = false;
    await take(caller);
    await take(caller);
    assert.deepEqual(
      requests.map(({ knownLevel, owed }) => [knownLevel, owed]),
      [
        [10, 0],
        [3, 1.25],
        [8, 0],
      ],
    );
  });

  it('distributed throughput owes no more than it granted', async () => {
    const { requests, state, take } = start(grantAll(100));
    const large = { accountId: 'b', plan: { rateLimit: 100 } };
    state.isUnavailable = true;
    await take(large);
    state.isUnavailable = false;
    await take(large);
    assert.deepEqual(
      requests.map(({ knownLevel, owed }) => [knownLevel, owed]),
      [[49, 1]],
    );
  });

  it('distributed throughput does not ask for an account whose share no process can use up', async () => {
    const { requests, state, take } = start(grantAll(0));
    const unlimited = { accountId: 'c', plan: { rateLimit: 1_000_000 } };
    assert.equal((await take(unlimited)).allowed, true);
    assert.deepEqual([requests.length, state.fallbacks], [0, 0]);
  });
});
