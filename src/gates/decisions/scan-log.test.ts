import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogFilter, LoggedRow } from './decisions-store.ts';
import { type ScanBudget, scanLog } from './scan-log.ts';

/** A log whose newest entry has the highest number, and the limits of the pages that were read from it. */
function logOf(count: number) {
  const limits: number[] = [];
  const rows = Array.from({ length: count }, (_, index) => ({ id: String(10_000 + count - index) }) as LoggedRow);
  return {
    limits,
    async listOf(_gateIds: readonly string[], { beforeId = '~' }: LogFilter, limit: number) {
      limits.push(limit);
      return rows.filter(({ id }) => id < beforeId).slice(0, limit);
    },
  };
}

async function scanned(count: number, budget?: ScanBudget) {
  const log = logOf(count);
  const scan = scanLog(log, ['gate'], {}, budget);
  const ids: string[] = [];
  for await (const { id } of scan) ids.push(id);
  return { ids, complete: scan.complete, limits: log.limits };
}

describe('a scan of the log', () => {
  for (const count of [0, 1, 249, 250, 251, 750, 6_001]) {
    it(`visits each of ${count} entries once, newest first, and is complete`, async () => {
      const { ids, complete } = await scanned(count);
      assert.deepEqual([new Set(ids).size, ids.length, complete], [count, count, true]);
      assert.deepEqual(ids, ids.toSorted().reverse());
    });
  }

  it('reads small pages first and larger ones later', async () => {
    assert.deepEqual((await scanned(6_001)).limits, [250, 500, 1_000, 2_000, 2_000, 2_000]);
  });

  it('stops after its number of entries and is not complete', async () => {
    const { ids, complete, limits } = await scanned(1_000, { maxEntries: 300 });
    assert.deepEqual([ids.length, complete, limits], [300, false, [250, 50]]);
  });

  it('stops when its time is over and is not complete', async () => {
    let nowMs = 0;
    const clock = () => ++nowMs;
    const { ids, complete } = await scanned(1_000, { forMs: 100, monotonicMs: clock, cpuMs: clock });
    assert.ok(ids.length > 10 && ids.length < 100, String(ids.length));
    assert.equal(complete, false);
  });

  it('does not count the time in which it waits for its turn', async () => {
    let nowMs = 0;
    const waiting = { forMs: 100, monotonicMs: () => (nowMs += 10), cpuMs: () => 0 };
    const { ids, complete } = await scanned(1_000, waiting);
    assert.deepEqual([ids.length, complete], [1_000, true]);
  });
});
