import { sql } from 'kysely';
import { databaseClock } from '../db/database-clock.ts';
import type { Db } from '../db/db.ts';
import type { Environment, Owner } from '../http/endpoint.ts';
import { ulid } from '../ulid.ts';

export interface DecisionSubscription {
  readonly webhookId: string;
  readonly owner: Owner;
  /** All when there are none. */
  readonly gateIds: readonly string[];
  /** All when there are none. */
  readonly actions: readonly string[];
}

/** Decision texts for one webhook, separated by commas. */
export interface DecisionBatch {
  readonly webhookId: string;
  readonly text: string;
}

/** Batches of decisions in the outbox. */
export interface DecisionBatchesStore {
  subscriptions(): Promise<DecisionSubscription[]>;
  /**
   * Appends each batch to its webhook's delivery for the current second, which all processes share, or for the next second if that
   * one is claimed or full. Returns the batches that fit into neither.
   */
  append(batches: readonly DecisionBatch[]): Promise<DecisionBatch[]>;
}

/** A delivery of this many characters is full. */
const fullAt = 500_000;
const secondsAhead = 2;

export function createDecisionBatchesStore(db: Db): DecisionBatchesStore {
  return {
    async subscriptions() {
      const rows = await db.read
        .selectFrom('webhooks')
        .select(['id', 'account_id', 'environment', 'gate_ids', 'actions'])
        .where('enabled', '=', 1)
        .where('events', 'like', '%"gate.decision"%')
        .execute();
      return rows.map((row) => ({
        webhookId: row.id,
        owner: { accountId: row.account_id, environment: row.environment as Environment },
        gateIds: JSON.parse(row.gate_ids) as string[],
        actions: JSON.parse(row.actions) as string[],
      }));
    },
    append: (batches) =>
      db.background.transaction(async (trx) => {
        const clock = await sql<{ now: number }>`select ${databaseClock(db.engine)} as now`.execute(trx);
        const nowMs = clock.rows[0]?.now ?? 0;
        let left = batches;
        for (let ahead = 1; ahead <= secondsAhead && left.length > 0; ahead += 1) {
          const dueMs = (Math.floor(nowMs / 1_000) + ahead) * 1_000;
          const { rows } = await sql<{ webhook_id: string }>`
            insert into webhook_deliveries
              (id, webhook_id, event_id, event_key, event_type, data, created_at, state, attempts, due_at)
            values ${sql.join(left.map((batch) => newDelivery(batch, nowMs, dueMs)))}
            on conflict (webhook_id, event_key) do update set data = webhook_deliveries.data || ',' || excluded.data
            where webhook_deliveries.due_at = excluded.due_at and length(webhook_deliveries.data) < ${sql.lit(fullAt)}
            returning webhook_id`.execute(trx);
          const written = new Set(rows.map((row) => row.webhook_id));
          left = left.filter(({ webhookId }) => !written.has(webhookId));
        }
        return [...left];
      }),
  };
}

/** The delivery is due when its second ends. A process that claims it changes `due_at`, so that no batch is appended any more. */
function newDelivery({ webhookId, text }: DecisionBatch, nowMs: number, dueMs: number) {
  const [id, eventId, key] = [ulid(nowMs), ulid(nowMs), `decisions ${dueMs}`];
  return sql`(${id}, ${webhookId}, ${eventId}, ${key}, 'gate.decision', ${text}, ${nowMs}, 'waiting', 0, ${dueMs})`;
}
