import { randomBytes } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { isUlid, ulid } from '../ulid.ts';
import type { DeliveriesStore } from './deliveries-store.ts';
import { type Delivery, maxWebhooks, oldSecretMs, type Webhook, type WebhookSettings } from './webhook.ts';
import type { WebhooksStore } from './webhooks-store.ts';

/** A response lists at most so many problems. */
const maxProblems = 20;

/** Customers' operations on webhooks. A missing webhook and one of another owner throw the same `AppError`. */
export interface Webhooks {
  /** Newest first. */
  list(owner: Owner): Promise<Webhook[]>;
  create(author: Author, settings: WebhookSettings): Promise<Webhook>;
  read(owner: Owner, id: string): Promise<Webhook>;
  change(author: Author, id: string, change: Partial<WebhookSettings>): Promise<Webhook>;
  remove(author: Author, id: string): Promise<void>;
  /** Creates a new secret; the old one also signs for another day. */
  rotateSecret(author: Author, id: string): Promise<Webhook>;
  /** Sends a test event, at most one a second. */
  test(owner: Owner, id: string): Promise<Delivery>;
  /** Deliveries older than `beforeId`, newest first. */
  deliveries(owner: Owner, id: string, limit: number, beforeId: string | null): Promise<Delivery[]>;
  /** Sends a delivery again, with a full set of attempts. */
  retry(author: Author, id: string, deliveryId: string): Promise<Delivery>;
}

export interface WebhooksParts {
  readonly store: WebhooksStore;
  readonly deliveries: DeliveriesStore;
  readonly gateIds: (owner: Owner) => Promise<readonly string[]>;
  /** Applies a change in this process before the request is answered. */
  readonly onChange: () => Promise<void>;
  readonly now: () => number;
}

/** Webhooks in the database. */
export function createWebhooks({ store, deliveries, gateIds, onChange, now }: WebhooksParts): Webhooks {
  const read = async (owner: Owner, id: string): Promise<Webhook> => {
    const webhook = isWebhookId(id) ? await store.find(owner, id) : null;
    if (webhook === null) throw new AppError('webhook_not_found');
    return webhook;
  };
  /** Rejects unknown gates, except those that were known when the webhook was saved. */
  const checkGates = async (owner: Owner, sent: readonly string[], saved: readonly string[]): Promise<void> => {
    if (sent.every((id) => saved.includes(id))) return;
    const known = new Set([...saved, ...(await gateIds(owner))]);
    const unknown = sent.flatMap((id, index) => (known.has(id) ? [] : [index])).slice(0, maxProblems);
    if (unknown.length === 0) return;
    const errors = Object.fromEntries(unknown.map((index) => [`gate_ids.${index}`, ['There is no such gate.']]));
    throw new AppError('validation_failed', { errors });
  };
  return {
    list: (owner) => store.list(owner),
    async create(author, settings) {
      await checkGates(author, settings.gateIds, []);
      const webhook = webhookOf(settings, now());
      if (!(await store.insert(author, webhook, maxWebhooks))) throw new AppError('webhook_limit_reached');
      await onChange();
      return webhook;
    },
    read,
    async change(author, id, change) {
      const before = await read(author, id);
      await checkGates(author, change.gateIds ?? [], before.gateIds);
      // A user who enables a webhook has repaired its receiver, so its failures no longer count.
      const reset = change.enabled === true && !before.enabled ? { disabledReason: null, failingSinceMs: null } : {};
      const off = change.enabled === false ? { disabledReason: null } : {};
      const after = await store.change(author, id, { ...change, ...reset, ...off }, now());
      if (after === null) throw new AppError('webhook_not_found');
      await onChange();
      return after;
    },
    async remove(author, id) {
      if (!isWebhookId(id) || !(await store.remove(author, id, now()))) throw new AppError('webhook_not_found');
      await onChange();
    },
    async rotateSecret(author, id) {
      const nowMs = now();
      const rotation = { secret: createSecret(), oldUntilMs: nowMs + oldSecretMs };
      const after = isWebhookId(id) ? await store.rotate(author, id, rotation, nowMs) : null;
      if (after === null) throw new AppError('webhook_not_found');
      return after;
    },
    ...createDeliveryOperations({ deliveries, now }, read),
  };
}

/** The operations on deliveries; `read` throws for a missing webhook. */
function createDeliveryOperations(
  { deliveries, now }: Pick<WebhooksParts, 'deliveries' | 'now'>,
  read: Webhooks['read'],
): Pick<Webhooks, 'test' | 'deliveries' | 'retry'> {
  const readEnabled = async (owner: Owner, id: string): Promise<Webhook> => {
    const webhook = await read(owner, id);
    if (!webhook.enabled) throw new AppError('webhook_disabled');
    return webhook;
  };
  return {
    async test(owner, id) {
      await readEnabled(owner, id);
      return deliveries.insertTest(id, now());
    },
    async deliveries(owner, id, limit, beforeId) {
      await read(owner, id);
      return deliveries.list(id, limit, beforeId);
    },
    async retry(author, id, deliveryId) {
      await readEnabled(author, id);
      const delivery = isUlid(deliveryId) ? await deliveries.retry(author, id, deliveryId, now()) : null;
      if (delivery === null) throw new AppError('delivery_not_found');
      return delivery;
    },
  };
}

function webhookOf(settings: WebhookSettings, nowMs: number): Webhook {
  return {
    ...settings,
    id: ulid(nowMs).toLowerCase(),
    disabledReason: null,
    failingSinceMs: null,
    secrets: { current: createSecret(), old: null },
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** Rejects malformed ids without a query. */
function isWebhookId(text: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}

/** A new signing secret as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64. */
function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
