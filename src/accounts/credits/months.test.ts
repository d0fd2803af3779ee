import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testClock } from '../../../test/start-app.ts';
import { testCaller } from '../../../test/test-caller.ts';
import { DirtyList } from '../../platform/pending-entries.ts';
import { Month } from './month.ts';
import { createMonths } from './months.ts';

describe("an account's months", () => {
  const firstOf = (month: number): number => Date.UTC(2026, month, 1);
  const start = () => {
    const clock = testClock(firstOf(0));
    const unwritten = new DirtyList<Month>();
    const store = { newest: async () => null };
    const months = createMonths(store, clock.now, (...month) => new Month(...month, unwritten));
    const caller = testCaller({ accountId: 'one', credits: 10, createdAtMs: firstOf(0) });
    const monthAt = async (month: number): Promise<Month> => {
      clock.set(firstOf(month));
      return months.of(caller);
    };
    return { months, monthAt };
  };

  it("an account's month is the same object after the clock jumps ahead and back", async () => {
    const { monthAt } = start();
    const [first, later, again] = [await monthAt(0), await monthAt(11), await monthAt(0)];
    assert.equal(again, first);
    assert.notEqual(later, first);
    assert.equal(await monthAt(11), later);
  });

  it("an account's month is evicted after three later ones", async () => {
    const { months, monthAt } = start();
    for (let month = 0; month < 5; month += 1) await monthAt(month);
    assert.deepEqual(
      Array.from(months.all(), ({ startMs }) => startMs),
      [firstOf(4), firstOf(3), firstOf(2)],
    );
  });
});
