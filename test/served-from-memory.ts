import assert from 'node:assert/strict';
import { eventually, until } from './eventually.ts';
import type { FaultyProxy } from './faulty-proxy.ts';

/**
 * Waits until the service has applied every change made so far. It polls PostgreSQL for changes, one poll after the other: when
 * the second poll from now starts, the first has applied everything.
 */
export function untilChangesAreApplied(proxy: FaultyProxy): Promise<void> {
  const polls = () => proxy.sent('pg_snapshot_xmin');
  const before = polls();
  return until(() => polls() >= before + 2);
}

/** Repeats work until it sends no statement with this text to storage: from then on memory serves it. */
export function untilServedFromMemory(proxy: FaultyProxy, text: string, work: () => Promise<unknown>): Promise<void> {
  return eventually(async () => {
    const before = proxy.sent(text);
    await work();
    assert.equal(proxy.sent(text), before, `${text} is still queried`);
  });
}
