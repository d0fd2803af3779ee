import type { Db } from '../db/db.ts';
import type { Feature, Shared } from '../feature.ts';
import type { Owner } from '../http/endpoint.ts';
import type { Network } from '../net/feature.ts';
import { isPublicAddress } from '../net/http/outbound-guard.ts';
import { retryAfterMs } from '../net/http/retry-after.ts';
import type { Job } from '../platform/jobs.ts';
import { eventCounter, gauge, startAtZero } from '../platform/metric-kinds.ts';
import { createDecisionBatchesStore } from './decision-batches-store.ts';
import { createDecisionNotifier, type DecisionNotifier } from './decision-notifier.ts';
import { deliveriesEndpoints } from './deliveries-endpoints.ts';
import { createDeliveriesStore } from './deliveries-store.ts';
import { type Courier, createCourier, type Post } from './delivery/courier.ts';
import { createOutboxStore, type OutboxStore } from './delivery/outbox-store.ts';
import { pruneDeliveries } from './delivery/retention.ts';
import { pruneRemovedDeliveries } from './removal-store.ts';
import { countUnreadableSecrets } from './stored-secrets-store.ts';
import { webhookInputs } from './webhook-input.ts';
import { createWebhooks } from './webhooks.ts';
import { webhooksEndpoints } from './webhooks-endpoints.ts';
import { createWebhooksStore, webhooksTopic } from './webhooks-store.ts';

const timeoutMs = 5_000;
/** UTF-8 needs up to four bytes for each of the 1,000 characters that users see of a response. */
const responseBytes = 4_000;

/** Webhooks: their settings, and delivery of events to them. */
export interface WebhooksFeature extends Feature {
  /** Notifies webhooks of a decision. */
  readonly onDecision: DecisionNotifier['onDecision'];
  /** The longest wait of a due delivery. */
  readonly lateMs: Courier['lateMs'];
  /** How many webhooks have a secret that cannot be decrypted. */
  readonly unreadableSecrets: () => Promise<number>;
}

/** Builds webhooks. `gateIds` reads the ids of an owner's gates. */
export async function createWebhooksFeature(
  shared: Shared,
  { deliveries: http }: Pick<Network, 'deliveries'>,
  gateIds: (owner: Owner) => Promise<readonly string[]>,
): Promise<WebhooksFeature> {
  const { config, db, log, now, monotonicMs } = shared;
  db.secrets.prepare();
  await reportUnreadable(db, log);
  const notifier = createDecisionNotifier(createDecisionBatchesStore(db));
  const webhooks = createWebhooks({
    store: createWebhooksStore(db),
    deliveries: createDeliveriesStore(db),
    gateIds,
    onChange: notifier.refresh,
    now,
  });
  const outbox = createOutboxStore(db, webhooksTopic);
  const attempts = countAttempts();
  const courier = createCourier({
    store: outbox,
    post: postWith(http, config.offline, now),
    now,
    monotonicMs,
    random: Math.random,
    onResult: (outcome) => attempts.inc({ outcome }),
    onSwitchedOff: (webhook) =>
      log.warn(
        { webhook },
        'disabled a webhook: no delivery has succeeded for five days; its owner must repair and enable it',
      ),
    onError: (error) => log.warn({ err: error }, 'could not deliver to a webhook; the next round retries'),
  });
  await notifier.refresh();
  return {
    onDecision: notifier.onDecision,
    lateMs: courier.lateMs,
    unreadableSecrets: () => countUnreadableSecrets(db),
    endpoints: [
      ...webhooksEndpoints(webhooks, webhookInputs({ isAllowed: http.isExempt, isPublicAddress })),
      ...deliveriesEndpoints(webhooks),
    ],
    follows: [{ topic: webhooksTopic, changed: notifier.changed, changedAll: notifier.changed }],
    metrics: [attempts, lateness(courier)],
    buffers: [notifier.buffer, courier.buffer],
    jobs: [deliverJob(courier), pruneJob(db, outbox, now)],
    close: courier.close,
  };
}

async function reportUnreadable(db: Db, log: Shared['log']): Promise<void> {
  const unreadable = await countUnreadableSecrets(db);
  if (unreadable > 0) {
    log.error(
      { webhooks: unreadable },
      'cannot decrypt the secrets of webhooks, so their deliveries fail; set SECRET_KEY, or restore secret.key in DATA_DIR, or rotate the secrets',
    );
  }
}

const countAttempts = () =>
  startAtZero(
    eventCounter(
      'webhook_deliveries_total',
      'Attempts to deliver an event: delivered, retried (another attempt follows) or given_up',
      'outcome',
    ),
    ['delivered', 'retried', 'given_up'].map((outcome) => ({ outcome })),
  );

const deliverJob = (courier: Courier): Job => ({
  name: 'deliver-webhooks',
  everyMs: 500,
  idleMs: 3_000,
  failure: 'could not deliver webhooks; the next round retries',
  run: () => courier.round(),
});

const pruneJob = (db: Db, outbox: OutboxStore, now: () => number): Job => ({
  name: 'prune-webhook-deliveries',
  everyMs: 600_000,
  lease: { forMs: 1_200_000 },
  failure: 'could not remove old webhook deliveries; the next attempt is in ten minutes',
  run: () => pruneDeliveries(outbox, (limit) => pruneRemovedDeliveries(db, limit), now()),
});

/** In offline mode the service sends only to receivers that the operator exempted. */
function postWith(http: Network['deliveries'], offline: boolean, now: () => number): Post {
  return async (url, message) => {
    if (offline && !http.isExempt(new URL(url))) throw new Error('The service is offline');
    const { retryAfter, ...response } = await http.post(url, { ...message, timeoutMs, maxBytes: responseBytes });
    return { ...response, retryAfterMs: retryAfter === undefined ? 0 : retryAfterMs(retryAfter, now()) };
  };
}

function lateness(courier: Courier) {
  return gauge(
    'webhook_queue_late_seconds',
    'Longest time that a due delivery has waited to be sent',
    () => courier.lateMs() / 1_000,
  );
}
