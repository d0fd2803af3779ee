import type { Transaction } from 'kysely';
import { ownedBy } from '../db/owned-by.ts';
import type { Schema } from '../db/schema.ts';
import type { Owner } from '../http/endpoint.ts';
import { chunksOf } from '../platform/chunks-of.ts';
import { ulid } from '../ulid.ts';
import type { WebhookEvent } from './events.ts';

/** Publishes a feature's events to webhooks; `app/` passes `announce` to the features that publish. */
export type Announce = (trx: Transaction<Schema>, owner: Owner, events: readonly WebhookEvent[]) => Promise<void>;

/** Rows per statement, well below the parameter limit of either database. */
const batchSize = 500;

/**
 * Adds events to the outbox, inside the transaction that detected them, so that exactly the committed events are delivered, at
 * least once. Each enabled webhook of the environment that subscribes to the type gets its own delivery with the same event id.
 * A webhook gets an event with a `key` once, no matter how often it is announced. Without subscribers nothing is written.
 */
export const announce: Announce = async (trx, owner, events) => {
  if (events.length === 0) return;
  const hooks = await trx
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where(ownedBy(owner))
    .where('enabled', '=', 1)
    .orderBy('id')
    .execute();
  const subscribers = hooks.map(({ id, events: types }) => ({ id, types: new Set(JSON.parse(types) as string[]) }));
  const rows = events.flatMap((event) => {
    const eventId = ulid(event.atMs);
    return subscribers.filter(({ types }) => types.has(event.type)).map(({ id }) => deliveryRow(id, eventId, event));
  });
  for (const some of chunksOf(rows, batchSize)) {
    await trx
      .insertInto('webhook_deliveries')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
};

function deliveryRow(webhookId: string, eventId: string, { type, data, atMs, key }: WebhookEvent) {
  return {
    id: ulid(atMs),
    webhook_id: webhookId,
    event_id: eventId,
    event_key: key ?? null,
    event_type: type,
    data: JSON.stringify(data),
    created_at: atMs,
    state: 'waiting',
    attempts: 0,
    // Due immediately, even if the clocks of writer and sender differ.
    due_at: 0,
  };
}
