import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Actor } from '../../actor.ts';
import { recordAct } from '../../db/audit.ts';
import { recordChange } from '../../db/changes.ts';
import { databaseClock } from '../../db/database-clock.ts';
import type { Db } from '../../db/db.ts';
import { lockAndSkipLocked } from '../../db/row-locks.ts';
import { type RowsParameter, rowsParameter } from '../../db/rows.ts';
import type { Schema } from '../../db/schema.ts';
import type { SecretBox } from '../../db/secret-box.ts';
import type { DeliveryState, Format, Secrets } from '../webhook.ts';

/** A webhook with due deliveries. */
export interface DueWebhook {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly format: Format;
  readonly secrets: Secrets;
  /** Its recent deliveries failed. */
  readonly isFailing: boolean;
  /** How long its oldest due delivery has been waiting. */
  readonly lateMs: number;
}

/** A delivery that this process may attempt until `leasedUntilMs`. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly data: string;
  readonly createdAtMs: number;
  /** Attempts before this one. */
  readonly attempts: number;
  readonly leasedUntilMs: number;
}

/** The outcome of an attempt. */
export interface Outcome {
  readonly webhookId: string;
  readonly delivery: Pick<ClaimedDelivery, 'id' | 'eventId' | 'leasedUntilMs'>;
  readonly state: DeliveryState;
  /** The delay until the next attempt; null if there is none. */
  readonly delayMs: number | null;
  readonly attemptedAtMs: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly body: string | null;
  readonly error: string | null;
}

/** Pending deliveries in the database, which several processes claim. All times are read from the database clock. */
export interface OutboxStore {
  /** Some webhooks with due deliveries, in no order. */
  due(limit: number): Promise<DueWebhook[]>;
  /** Claims due deliveries, the oldest first. No other process gets them until the lease expires. */
  claim(webhookId: string, limit: number, leaseMs: number): Promise<ClaimedDelivery[]>;
  /** Writes outcomes, except of deliveries that another process has claimed since; returns the ids of webhooks that it disabled. */
  finish(outcomes: readonly Outcome[], offAfterMs: number, offReason: string, nowMs: number): Promise<string[]>;
  /** Releases claimed deliveries that were not attempted. */
  release(claimed: readonly Pick<ClaimedDelivery, 'id' | 'leasedUntilMs'>[]): Promise<void>;
  /** Removes up to `limit` deliveries with ids before this one; returns how many. */
  prune(beforeId: string, limit: number): Promise<number>;
}

const service: Actor = { kind: 'service', id: 'webhooks', from: null };

/** The outbox of a database; changes to webhooks are published under `topic`. */
export function createOutboxStore(db: Db, topic: string): OutboxStore {
  // As a subquery it is read once per statement; otherwise PostgreSQL does not use the index.
  const clock = sql<number>`(select ${databaseClock(db.engine)})`;
  const outcomeRows = rowsParameter(db, outcomeColumns);
  return {
    due: (limit) => dueWebhooks(db, clock, limit),
    async claim(webhookId, limit, leaseMs) {
      const { rows } = await sql<ClaimedRow>`
        update webhook_deliveries set due_at = ${clock} + ${sql.lit(leaseMs)}
        where id in (
          select id from webhook_deliveries where webhook_id = ${webhookId} and due_at <= ${clock}
            and exists (select 1 from webhooks where id = ${webhookId} and enabled = 1)
          order by due_at, id limit ${limit} ${lockAndSkipLocked(db)})
        returning id, event_id, event_type, data, created_at, attempts, due_at`.execute(db.background.write);
      return rows.map(toClaimed).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    },
    finish: (outcomes, offAfterMs, offReason, nowMs) =>
      db.background.transaction(async (trx) => {
        await writeOutcomes(trx, outcomeRows, outcomes, clock);
        await recordHealth(trx, outcomes, clock);
        const beforeMs = sql<number>`${clock} - ${sql.lit(offAfterMs)}`;
        const off = await disableFailing(trx, outcomes, { beforeMs, reason: offReason }, nowMs);
        for (const { account_id, environment } of off) {
          await recordChange(trx, topic, `${account_id}/${environment}`, nowMs);
        }
        return off.map(({ id }) => id);
      }),
    async release(claimed) {
      for (const { id, leasedUntilMs } of claimed) {
        const own = db.background.write.updateTable('webhook_deliveries').where('id', '=', id);
        await own.where('due_at', '=', leasedUntilMs).set({ due_at: 0 }).execute();
      }
    },
    prune: (beforeId, limit) => removeBeforeId(db, beforeId, limit),
  };
}

async function dueWebhooks(db: Db, clock: RawBuilder<number>, limit: number): Promise<DueWebhook[]> {
  const { rows } = await sql<DueRow>`
    select webhooks.id, webhooks.account_id, url, format, secret, old_secret, old_secret_until, failing_since,
      ${clock} - case when first.due_at > first.created_at then first.due_at else first.created_at end as late
    from webhooks join webhook_deliveries first on first.id = (
      select id from webhook_deliveries where webhook_id = webhooks.id and due_at <= ${clock}
      order by due_at, id limit 1)
    where enabled = 1 order by random() limit ${limit}`.execute(db.read);
  return rows.map((row) => toDueWebhook(row, db.secrets));
}

async function removeBeforeId(db: Db, beforeId: string, limit: number): Promise<number> {
  const old = db.background.write
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('id', '<', beforeId)
    .orderBy('id')
    .limit(limit);
  const deleted = await db.background.write.deleteFrom('webhook_deliveries').where('id', 'in', old).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

const outcomeColumns = {
  id: 'text',
  event_id: 'text',
  lease: 'bigint',
  state: 'text',
  delay: 'bigint',
  attempted_at: 'bigint',
  duration: 'integer',
  status: 'integer',
  body: 'text',
  error: 'text',
} as const;

/** One statement for all: a fast receiver produces hundreds of outcomes at a time. */
async function writeOutcomes(
  trx: Transaction<Schema>,
  outcomeRows: RowsParameter<typeof outcomeColumns>,
  outcomes: readonly Outcome[],
  clock: RawBuilder<number>,
): Promise<void> {
  const rows = outcomes.map(({ delivery, state, delayMs, attemptedAtMs, durationMs, status, body, error }) => ({
    id: delivery.id,
    event_id: delivery.eventId,
    lease: delivery.leasedUntilMs,
    state,
    delay: delayMs,
    attempted_at: attemptedAtMs,
    duration: durationMs,
    status,
    body,
    error,
  }));
  await sql`
    update webhook_deliveries set
      event_id = outcome.event_id, state = outcome.state, attempts = attempts + 1, due_at = ${clock} + outcome.delay,
      attempted_at = outcome.attempted_at, duration_ms = outcome.duration, response_status = outcome.status,
      response_body = outcome.body, error = outcome.error
    from ${outcomeRows.table(rows)} outcome
    where webhook_deliveries.id = outcome.id and webhook_deliveries.due_at = outcome.lease`.execute(trx);
}

/** Records when a webhook's failures began; one success clears it. */
async function recordHealth(
  trx: Transaction<Schema>,
  outcomes: readonly Outcome[],
  clock: RawBuilder<number>,
): Promise<void> {
  const healthy = webhooksOf(outcomes.filter(({ state }) => state === 'delivered'));
  const failing = webhooksOf(outcomes).filter((id) => !healthy.includes(id));
  if (healthy.length > 0) {
    const cleared = trx.updateTable('webhooks').set({ failing_since: null }).where('id', 'in', healthy);
    await cleared.where('failing_since', 'is not', null).execute();
  }
  if (failing.length > 0) {
    const marked = trx.updateTable('webhooks').set({ failing_since: clock }).where('id', 'in', failing);
    await marked.where('failing_since', 'is', null).execute();
  }
}

/** Disables webhooks whose failures began before `beforeMs`. */
async function disableFailing(
  trx: Transaction<Schema>,
  outcomes: readonly Outcome[],
  { beforeMs, reason }: { readonly beforeMs: RawBuilder<number>; readonly reason: string },
  nowMs: number,
): Promise<Pick<Schema['webhooks'], 'id' | 'account_id' | 'environment'>[]> {
  const failed = webhooksOf(outcomes.filter(({ state }) => state !== 'delivered'));
  if (failed.length === 0) return [];
  const rows = await trx
    .updateTable('webhooks')
    .set({ enabled: 0, disabled_reason: reason, updated_at: nowMs })
    .where('id', 'in', failed)
    .where('enabled', '=', 1)
    .where('failing_since', '<', beforeMs)
    .returning(['id', 'account_id', 'environment'])
    .execute();
  for (const { id, account_id: accountId, environment } of rows) {
    const act = { action: 'webhook.switched_off', subject: id, accountId, environment, detail: { reason } };
    await recordAct(trx, service, act, nowMs);
  }
  return rows;
}

/** Sorted, so that two processes that write to the same webhooks lock them in the same order and cannot deadlock. */
function webhooksOf(outcomes: readonly Outcome[]): string[] {
  return [...new Set(outcomes.map(({ webhookId }) => webhookId))].toSorted();
}

type DueRow = Pick<
  Schema['webhooks'],
  'id' | 'account_id' | 'url' | 'format' | 'secret' | 'old_secret' | 'old_secret_until' | 'failing_since'
> & { late: number };

function toDueWebhook(row: DueRow, box: SecretBox): DueWebhook {
  const { old_secret: old, old_secret_until: untilMs } = row;
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    format: row.format as Format,
    secrets: {
      current: box.open(row.secret),
      old: old === null || untilMs === null ? null : { secret: box.open(old), untilMs },
    },
    isFailing: row.failing_since !== null,
    lateMs: Math.max(0, Number(row.late)),
  };
}

type ClaimedRow = Pick<
  Schema['webhook_deliveries'],
  'id' | 'event_id' | 'event_type' | 'data' | 'created_at' | 'attempts' | 'due_at'
>;

function toClaimed(row: ClaimedRow): ClaimedDelivery {
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    data: row.data,
    createdAtMs: row.created_at,
    attempts: row.attempts,
    leasedUntilMs: row.due_at ?? 0,
  };
}
