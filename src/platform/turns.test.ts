import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { createTurns } from './turns.ts';

/** Turns on a clock that only pauses advance. */
function createTestTurns(perMs: number) {
  const clock = { nowMs: 0 };
  const pauses: number[] = [];
  const turns = createTurns({
    nowMs: () => clock.nowMs,
    pausePerMs: () => perMs,
    async sleep(ms) {
      pauses.push(ms);
      clock.nowMs += ms;
      await nextIteration();
    },
    nextIteration,
  });
  /** Work of an account in so many slices of `ms` each. */
  const slices = async (accountId: string, count: number, ms: number, order: string[] = []): Promise<number> => {
    for (let slice = 0; slice < count; slice += 1) {
      await turns.wait(accountId);
      order.push(accountId);
      clock.nowMs += ms;
      turns.charge(accountId, ms);
    }
    return clock.nowMs;
  };
  return { clock, pauses, turns, slices };
}

describe('turns', () => {
  it('accounts that wait get the same processor time, not the same number of turns', async () => {
    const { slices } = createTestTurns(0);
    const order: string[] = [];
    await Promise.all([slices('long', 10, 20, order), slices('short', 40, 5, order)]);
    const first = order.slice(0, 25);
    assert.equal(first.filter((id) => id === 'long').length, 5, order.join(' '));
  });

  it('an account whose burst held the event loop for seconds pauses 200 ms, and others wait no longer than for a slice', async () => {
    const { clock, turns } = createTestTurns(9);
    await turns.wait('culprit');
    clock.nowMs += 3_500;
    turns.charge('culprit', 3_500);
    const grants: [string, number][] = [];
    const grant = async (accountId: string) => {
      await turns.wait(accountId);
      grants.push([accountId, clock.nowMs - 3_500]);
    };
    await Promise.all([grant('culprit'), grant('other')]);
    assert.deepEqual(grants, [
      ['other', 45],
      ['culprit', 180],
    ]);
  });

  it('work pauses for as long as requests of high priority need, and not at all when they need nothing', async () => {
    const busy = createTestTurns(9);
    const quiet = createTestTurns(0);
    assert.ok((await busy.slices('account', 100, 5)) > 4_400);
    assert.equal(await quiet.slices('account', 100, 5), 500);
    assert.deepEqual(quiet.pauses, []);
  });

  it('short pauses are added up', async () => {
    const { slices } = createTestTurns(0.5);
    assert.ok((await slices('account', 100, 5)) > 700);
  });

  it('an account that was idle has not saved up turns', async () => {
    const { slices } = createTestTurns(0);
    const order: string[] = [];
    await slices('busy', 100, 5);
    await Promise.all([slices('busy', 10, 5, order), slices('new', 10, 5, order)]);
    assert.equal(order.slice(0, 10).filter((id) => id === 'busy').length, 5, order.join(' '));
  });
});
