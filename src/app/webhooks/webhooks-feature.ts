import { Counter } from 'prom-client';
import { retryAfterMs } from '../../net/http/retry-after.ts';
import { repeat } from '../../platform/repeat.ts';
import { createDecisionBatchesStore } from '../../webhooks/decision-batches-store.ts';
import { createDecisionNotifier, type DecisionNotifier } from '../../webhooks/decision-notifier.ts';
import { deliveriesEndpoints } from '../../webhooks/deliveries-endpoints.ts';
import { createDeliveriesStore } from '../../webhooks/deliveries-store.ts';
import { type Courier, createCourier, type Post } from '../../webhooks/delivery/courier.ts';
import { createOutboxStore } from '../../webhooks/delivery/outbox-store.ts';
import { pruneDeliveries } from '../../webhooks/delivery/retention.ts';
import { pruneRemovedDeliveries } from '../../webhooks/removal-store.ts';
import { webhookInputs } from '../../webhooks/webhook-input.ts';
import { createWebhooks } from '../../webhooks/webhooks.ts';
import { webhooksEndpoints } from '../../webhooks/webhooks-endpoints.ts';
import { createWebhooksStore, webhooksTopic } from '../../webhooks/webhooks-store.ts';
import type { Feature, Shared } from '../feature.ts';
import { gauge } from '../metric-kinds.ts';
import type { Network } from '../network.ts';

/** How often what is due is looked for. */
const roundMs = 500;
/** How often decisions go into the outbox; a kill -9 loses no more of them than this. */
const notifyMs = 400;
const pruneMs = 600_000;
const timeoutMs = 5_000;
/** Enough for what is shown of an answer, in whatever script. */
const answerBytes = 4_000;

/** Who is told of events, and telling them. */
export interface WebhooksFeature extends Feature {
  /** A gate has decided. */
  readonly onDecision: DecisionNotifier['onDecision'];
}

/** Builds webhooks. */
export function createWebhooksFeature(
  shared: Shared,
  { deliveries: http }: Pick<Network, 'deliveries'>,
): WebhooksFeature {
  const { config, db, log, now, monotonicMs } = shared;
  const webhooks = createWebhooks(createWebhooksStore(db), createDeliveriesStore(db), now);
  const outbox = createOutboxStore(db, webhooksTopic);
  const tries = new Counter({
    name: 'signalpost_webhook_deliveries_total',
    help: 'Tries to deliver an event, by what came of them',
    labelNames: ['outcome'],
    registers: [],
  });
  const notSent = (error: unknown): void => log.warn({ err: error }, 'webhooks not delivered yet');
  const courier = createCourier({
    store: outbox,
    post: postWith(http, config.offline, now),
    now,
    monotonicMs,
    random: Math.random,
    onResult: (outcome) => tries.inc({ outcome }),
    onSwitchedOff: (webhook) => log.warn({ webhook }, 'webhook switched off after failing for five days'),
    onError: notSent,
  });
  const rounds = repeat(roundMs, () => courier.round(), notSent);
  const notifier = createDecisionNotifier(createDecisionBatchesStore(db));
  const onNotifyError = (error: unknown): void => log.warn({ err: error }, 'webhooks not told of decisions yet');
  const notifications = repeat(notifyMs, () => notifier.flush(), onNotifyError, 0);
  const prunes = repeat(
    pruneMs,
    () => pruneDeliveries(outbox, (limit) => pruneRemovedDeliveries(db, limit), now()),
    (error) => log.warn({ err: error }, 'old deliveries of webhooks not removed yet'),
  );
  return {
    onDecision: notifier.onDecision,
    endpoints: [...webhooksEndpoints(webhooks, webhookInputs(http.isExempt)), ...deliveriesEndpoints(webhooks)],
    follows: [{ topic: webhooksTopic, changed: notifier.changed, changedAll: notifier.changed }],
    metrics: [tries, lateness(courier)],
    unwritten: { told_decisions: notifier.waiting },
    async close() {
      await Promise.all([rounds.stop(), notifications.stop(), prunes.stop()]);
      await notifier.flush().catch(onNotifyError);
      await courier.close();
    },
  };
}

/** Offline, only what the operator named himself is reached. */
function postWith(http: Network['deliveries'], offline: boolean, now: () => number): Post {
  return async (url, message) => {
    if (offline && !http.isExempt(new URL(url))) throw new Error('The service is offline');
    const { retryAfter, ...answer } = await http.post(url, { ...message, timeoutMs, maxBytes: answerBytes });
    return { ...answer, retryAfterMs: retryAfter === undefined ? 0 : retryAfterMs(retryAfter, now()) };
  };
}

function lateness(courier: Courier) {
  return gauge(
    'webhook_queue_late_seconds',
    'How long a delivery that is due has been waiting for this process to send it, at most',
    () => courier.lateMs() / 1_000,
  );
}
