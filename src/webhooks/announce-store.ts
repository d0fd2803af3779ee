import type { Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { Owner } from '../http/endpoint.ts';
import { ulid } from '../ulid.ts';
import type { WebhookEvent } from './events.ts';

/** How a feature tells of what happened; `app/` hands `announce` to those that do. */
export type Announce = (trx: Transaction<Schema>, owner: Owner, events: readonly WebhookEvent[]) => Promise<void>;

/** Rows in one statement, well below what either database takes as parameters. */
const rowsAtOnce = 500;

/**
 * Puts events into the outbox, inside the transaction that found them: what is not committed did not happen, and what is
 * committed is delivered at least once. Every webhook of the environment that is switched on and asked for the type gets a delivery
 * of its own, all with the same event id. An event with a `key` reaches a webhook once, however often it is announced. Nobody asked:
 * nothing is written. Any number of events may be given; they cost two statements for every 500 deliveries.
 */
export const announce: Announce = async (trx, { accountId, environment }, events) => {
  if (events.length === 0) return;
  const hooks = await trx
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('account_id', '=', accountId)
    .where('environment', '=', environment)
    .where('enabled', '=', 1)
    .orderBy('id')
    .execute();
  const wanted = hooks.map(({ id, events: types }) => ({ id, types: new Set(JSON.parse(types) as string[]) }));
  const rows = events.flatMap((event) => {
    const eventId = ulid(event.atMs);
    return wanted.filter(({ types }) => types.has(event.type)).map(({ id }) => deliveryRow(id, eventId, event));
  });
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await trx
      .insertInto('webhook_deliveries')
      .values(rows.slice(start, start + rowsAtOnce))
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
    // Due at once, whatever the clocks of writer and sender say.
    due_at: 0,
  };
}
