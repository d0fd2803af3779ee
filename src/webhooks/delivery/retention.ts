import { yieldToEventLoop } from '../../platform/yielding.ts';
import { ulid } from '../../ulid.ts';
import type { OutboxStore } from './outbox-store.ts';

const keptMs = 30 * 86_400_000;
/** Rows removed at a time; requests are served in between. */
const rowsAtOnce = 1_000;

/** Removes deliveries of more than 30 days ago, and what is left of webhooks that are gone. */
export async function pruneDeliveries(
  store: Pick<OutboxStore, 'prune'>,
  pruneRemoved: (limit: number) => Promise<number>,
  nowMs: number,
): Promise<void> {
  // Ids begin with the time.
  const beforeId = ulid(nowMs - keptMs);
  while ((await store.prune(beforeId, rowsAtOnce)) === rowsAtOnce) await yieldToEventLoop();
  while ((await pruneRemoved(rowsAtOnce)) > 0) await yieldToEventLoop();
}
