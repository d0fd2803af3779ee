import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSlowestRequests } from './slowest-requests.ts';
import { StageTimes, stage } from './stage-times.ts';

const request = (readAtMs: number, ms: number): StageTimes => {
  const stages = new StageTimes(readAtMs, readAtMs);
  stages.enter(stage.work);
  stages.endWait(stage.answer, readAtMs + ms);
  return stages;
};

describe('the slowest requests', () => {
  const keep = (periodMs = 1_000) => createSlowestRequests(3, periodMs, () => Date.UTC(2026, 10, 17));

  it('the slowest requests are bounded in number and sorted, slowest first', () => {
    const slowest = keep();
    for (const ms of [5, 1, 9, 3, 7]) slowest.offer('lookupDomain', `id-${ms}`, 200, request(0, ms));
    assert.deepEqual(
      slowest.all().map(({ request_id }) => request_id),
      ['id-9', 'id-7', 'id-5'],
    );
  });

  it('the slowest requests say what was asked, when, and where the time went', () => {
    const slowest = keep();
    slowest.offer('decide', 'id', 503, request(0, 12.3456));
    assert.deepEqual(slowest.all(), [
      {
        operation: 'decide',
        request_id: 'id',
        status: 503,
        at: '2026-11-17T00:00:00.000Z',
        ms: 12.346,
        stages: { queue: 0, work: 12.346 },
      },
    ]);
  });

  it('the slowest requests keep the period before the current one, and nothing older', () => {
    const slowest = keep();
    const ids = () => slowest.all().map(({ request_id }) => request_id);
    slowest.offer('a', 'first', 200, request(0, 50));
    slowest.offer('a', 'second', 200, request(1_100, 5));
    assert.deepEqual(ids(), ['first', 'second']);
    slowest.offer('a', 'third', 200, request(2_200, 1));
    assert.deepEqual(ids(), ['second', 'third']);
    slowest.offer('a', 'much later', 200, request(90_000, 1));
    assert.deepEqual(ids(), ['much later']);
  });
});
