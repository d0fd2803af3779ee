import type { Selectable, Transaction } from 'kysely';
import { recordOwnAct } from '../db/audit.ts';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { ownedBy } from '../db/owned-by.ts';
import type { Schema } from '../db/schema.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { WebhooksTable } from '../db/tables/webhook-tables.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
import type { EventType } from './events.ts';
import { openSecrets } from './stored-secrets-store.ts';
import type { DecidedAction, Format, Webhook, WebhookSettings } from './webhook.ts';

/** The topic of changes to webhooks; the scope is the owner's. */
export const webhooksTopic = 'webhooks';

/** A change to a webhook, except a new secret. */
export type WebhookChange = Partial<WebhookSettings & Pick<Webhook, 'disabledReason' | 'failingSinceMs'>>;

/** A new secret; the previous one also signs until `oldUntilMs`. */
export interface Rotation {
  readonly secret: string;
  readonly oldUntilMs: number;
}

export interface WebhooksStore {
  /** Newest first. */
  list(owner: Owner): Promise<Webhook[]>;
  /** Null when the owner has no such webhook. */
  find(owner: Owner, id: string): Promise<Webhook | null>;
  /** False when the owner already has `max` webhooks. */
  insert(author: Author, webhook: Webhook, max: number): Promise<boolean>;
  /** Returns the changed webhook; null when the owner has no such webhook. */
  change(author: Author, id: string, change: WebhookChange, nowMs: number): Promise<Webhook | null>;
  /** Null when the owner has no such webhook. */
  rotate(author: Author, id: string, rotation: Rotation, nowMs: number): Promise<Webhook | null>;
  /** False when the owner has no such webhook. */
  remove(author: Author, id: string, nowMs: number): Promise<boolean>;
}

export function createWebhooksStore(db: Db): WebhooksStore {
  const { secrets } = db;
  return {
    async list(owner) {
      const rows = await selectOwn(db.read, owner).orderBy('id', 'desc').execute();
      return rows.map((row) => toWebhook(row, secrets));
    },
    async find(owner, id) {
      const row = await selectOwn(db.read, owner).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toWebhook(row, secrets);
    },
    insert: (author, webhook, max) =>
      db.transaction(async (trx) => {
        // This row also serves as the lock for counting the owner's webhooks.
        await recordChange(trx, webhooksTopic, scopeOf(author), webhook.createdAtMs);
        if ((await selectOwn(trx, author).execute()).length >= max) return false;
        await trx
          .insertInto('webhooks')
          .values(rowOf(author, webhook, secrets))
          .execute();
        const { id, events, createdAtMs } = webhook;
        await recordOwnAct(trx, author, { action: 'webhook.created', subject: id, detail: { events } }, createdAtMs);
        return true;
      }),
    change: (author, id, change, nowMs) =>
      db.transaction(async (trx) => {
        const row = await update(trx, author, { action: 'webhook.changed', id, columns: columnsOf(change) }, nowMs);
        return row === null ? null : toWebhook(row, secrets);
      }),
    rotate: (author, id, { secret, oldUntilMs }, nowMs) =>
      db.transaction(async (trx) => {
        const before = await selectOwn(trx, author).where('id', '=', id).executeTakeFirst();
        if (before === undefined) return null;
        const columns = { secret: secrets.seal(secret), old_secret: before.secret, old_secret_until: oldUntilMs };
        const row = await update(trx, author, { action: 'webhook.secret_rotated', id, columns }, nowMs);
        return row === null ? null : toWebhook(row, secrets);
      }),
    remove: (author, id, nowMs) =>
      db.transaction(async (trx) => {
        if (!(await deleteOwn(trx, author, id))) return false;
        // A webhook can have many deliveries. They are unreachable from now on, and a job removes them in batches.
        await trx.insertInto('removed_webhooks').values({ id }).execute();
        await recordOwnAct(trx, author, { action: 'webhook.removed', subject: id }, nowMs);
        await recordChange(trx, webhooksTopic, scopeOf(author), nowMs);
        return true;
      }),
  };
}

function selectOwn(from: Db['read'], owner: Owner) {
  return from.selectFrom('webhooks').selectAll().where(ownedBy(owner));
}

async function deleteOwn(trx: Transaction<Schema>, owner: Owner, id: string): Promise<boolean> {
  const deleted = await trx.deleteFrom('webhooks').where('id', '=', id).where(ownedBy(owner)).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

interface WebhookUpdate {
  readonly action: 'webhook.changed' | 'webhook.secret_rotated';
  readonly id: string;
  readonly columns: Partial<Selectable<WebhooksTable>>;
}

async function update(
  trx: Transaction<Schema>,
  author: Author,
  { action, id, columns }: WebhookUpdate,
  nowMs: number,
): Promise<Selectable<WebhooksTable> | null> {
  const row = await trx
    .updateTable('webhooks')
    .set({ ...columns, updated_at: nowMs })
    .where('id', '=', id)
    .where(ownedBy(author))
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  const detail = action === 'webhook.changed' ? { fields: Object.keys(columns) } : {};
  await recordOwnAct(trx, author, { action, subject: id, detail }, nowMs);
  await recordChange(trx, webhooksTopic, scopeOf(author), nowMs);
  return row;
}

function rowOf(author: Author, webhook: Webhook, secrets: SecretBox) {
  return {
    id: webhook.id,
    account_id: author.accountId,
    environment: author.environment,
    ...columnsOf(webhook),
    secret: secrets.seal(webhook.secrets.current ?? ''),
    created_at: webhook.createdAtMs,
    updated_at: webhook.updatedAtMs,
  };
}

/** The columns for the given settings. */
function columnsOf<T extends WebhookChange>(change: T) {
  const { url, description, events, gateIds, actions, format, enabled, disabledReason, failingSinceMs } = change;
  const columns = {
    url,
    description,
    events: events && JSON.stringify(events),
    gate_ids: gateIds && JSON.stringify(gateIds),
    actions: actions && JSON.stringify(actions),
    format,
    enabled: enabled === undefined ? undefined : enabled ? 1 : 0,
    disabled_reason: disabledReason,
    failing_since: failingSinceMs,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as ColumnsOf<T>;
}

type Column = 'url' | 'description' | 'events' | 'gate_ids' | 'actions' | 'format' | 'enabled';
type Columns = Pick<Selectable<WebhooksTable>, Column | 'disabled_reason' | 'failing_since'>;
/** Complete settings have all columns, partial ones only some. */
type ColumnsOf<T> = T extends WebhookSettings ? Columns : Partial<Columns>;

function toWebhook(row: Selectable<WebhooksTable>, secrets: SecretBox): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: JSON.parse(row.events) as EventType[],
    gateIds: JSON.parse(row.gate_ids) as string[],
    actions: JSON.parse(row.actions) as DecidedAction[],
    format: row.format as Format,
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    failingSinceMs: row.failing_since,
    secrets: openSecrets(row, secrets),
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}
