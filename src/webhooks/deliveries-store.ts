import type { Selectable } from 'kysely';
import { recordAct } from '../db/audit.ts';
import type { Db } from '../db/db.ts';
import type { WebhookDeliveriesTable } from '../db/tables/webhook-tables.ts';
import type { Author } from '../http/endpoint.ts';
import { ulid } from '../ulid.ts';
import type { Delivery, DeliveryState } from './webhook.ts';

/** Deliveries in the database, as customers see them. */
export interface DeliveriesStore {
  /** Deliveries older than `beforeId`, newest first. */
  list(webhookId: string, limit: number, beforeId: string | null): Promise<Delivery[]>;
  /** Adds a test event to the outbox, or returns the one already added in the same second. */
  insertTest(webhookId: string, nowMs: number): Promise<Delivery>;
  /** Makes a delivery due immediately and resets its attempts; null when it does not exist. */
  retry(author: Author, webhookId: string, deliveryId: string, nowMs: number): Promise<Delivery | null>;
}

export function createDeliveriesStore(db: Db): DeliveriesStore {
  return {
    async list(webhookId, limit, beforeId) {
      let query = db.read.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId);
      if (beforeId !== null) query = query.where('id', '<', beforeId);
      return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toDelivery);
    },
    insertTest: (webhookId, nowMs) =>
      db.transaction(async (trx) => {
        const key = `test ${Math.floor(nowMs / 1_000)}`;
        await trx
          .insertInto('webhook_deliveries')
          .values({
            id: ulid(nowMs),
            webhook_id: webhookId,
            event_id: ulid(nowMs),
            event_key: key,
            event_type: 'webhook.test',
            data: JSON.stringify({ test: true, domain: 'example.com' }),
            created_at: nowMs,
            state: 'waiting',
            attempts: 0,
            due_at: 0,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const row = await trx
          .selectFrom('webhook_deliveries')
          .selectAll()
          .where('webhook_id', '=', webhookId)
          .where('event_key', '=', key)
          .executeTakeFirstOrThrow();
        return toDelivery(row);
      }),
    retry: ({ by, accountId, environment }, webhookId, deliveryId, nowMs) =>
      db.transaction(async (trx) => {
        const row = await trx
          .updateTable('webhook_deliveries')
          .set({ state: 'waiting', attempts: 0, due_at: 0 })
          .where('webhook_id', '=', webhookId)
          .where('id', '=', deliveryId)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        const act = { action: 'webhook.delivery_retried', subject: webhookId, accountId, environment };
        await recordAct(trx, by, { ...act, detail: { delivery: deliveryId } }, nowMs);
        return toDelivery(row);
      }),
  };
}

function toDelivery(row: Selectable<WebhookDeliveriesTable>): Delivery {
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    data: row.data,
    createdAtMs: row.created_at,
    state: row.state as DeliveryState,
    attempts: row.attempts,
    dueAtMs: row.due_at,
    attemptedAtMs: row.attempted_at,
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    responseBody: row.response_body,
    error: row.error,
  };
}
