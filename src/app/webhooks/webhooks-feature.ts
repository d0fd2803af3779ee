import { deliveriesEndpoints } from '../../webhooks/deliveries-endpoints.ts';
import { createDeliveriesStore } from '../../webhooks/deliveries-store.ts';
import { webhookInputs } from '../../webhooks/webhook-input.ts';
import { createWebhooks } from '../../webhooks/webhooks.ts';
import { webhooksEndpoints } from '../../webhooks/webhooks-endpoints.ts';
import { createWebhooksStore } from '../../webhooks/webhooks-store.ts';
import type { Feature, Shared } from '../feature.ts';
import type { Network } from '../network.ts';

/** Builds webhooks: who is told of events, and telling them. */
export function createWebhooksFeature({ db, now }: Shared, { http }: Pick<Network, 'http'>): Feature {
  const webhooks = createWebhooks(createWebhooksStore(db), createDeliveriesStore(db), now);
  return {
    endpoints: [...webhooksEndpoints(webhooks, webhookInputs(http.isExempt)), ...deliveriesEndpoints(webhooks)],
    follows: [],
    metrics: [],
    async close() {},
  };
}
