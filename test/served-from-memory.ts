import assert from 'node:assert/strict';
import { eventually, until } from './eventually.ts';
import type { FaultyProxy } from './faulty-proxy.ts';

/**
 * Waits until the service has been told of every change made so far. It looks for changes in PostgreSQL again and again, one
 * look after the other: when the second look from now begins, the first has told everything.
 */
export function untilChangesAreApplied(line: FaultyProxy): Promise<void> {
  const looks = () => line.sent('pg_snapshot_xmin');
  const before = looks();
  return until(() => looks() >= before + 2);
}

/** Repeats work until the storage is asked for nothing with this text in it: from then on it is done from memory. */
export function untilServedFromMemory(line: FaultyProxy, text: string, work: () => Promise<unknown>): Promise<void> {
  return eventually(async () => {
    const before = line.sent(text);
    await work();
    assert.equal(line.sent(text), before, `${text} is still asked for`);
  });
}
