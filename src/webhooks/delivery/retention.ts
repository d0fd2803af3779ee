import { yieldToEventLoop } from '../../platform/yielding.ts';
import { ulid } from '../../ulid.ts';
import type { OutboxStore } from './outbox-store.ts';

const keptMs = 30 * 86_400_000;
/** Rows per deletion; the event loop runs in between. */
const batchSize = 1_000;

/** Removes deliveries older than 30 days, and those of removed webhooks. */
export async function pruneDeliveries(
  store: Pick<OutboxStore, 'prune'>,
  pruneRemoved: (limit: number) => Promise<number>,
  nowMs: number,
): Promise<void> {
  // Ids start with their creation time.
  const beforeId = ulid(nowMs - keptMs);
  while ((await store.prune(beforeId, batchSize)) === batchSize) await yieldToEventLoop();
  while ((await pruneRemoved(batchSize)) > 0) await yieldToEventLoop();
}
