import { dataOf, listOf } from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { webhookBody, webhookWithSecretBody } from './webhook-body.ts';
import type { WebhookInputs } from './webhook-input.ts';
import type { Webhooks } from './webhooks.ts';

/** Properties shared by all webhook endpoints. */
export const managed = { family: 'gates', plan: 'pro', credits: 0 } as const;

/** `/v1/webhooks` and `/v1/webhooks/{webhook_id}`. */
export function webhooksEndpoints(webhooks: Webhooks, inputs: WebhookInputs): Endpoint[] {
  return [...collectionEndpoints(webhooks, inputs), ...singleEndpoints(webhooks, inputs)];
}

function collectionEndpoints(webhooks: Webhooks, { created }: WebhookInputs): Endpoint[] {
  const shared = { ...managed, path: '/v1/webhooks' } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'listWebhooks',
      summary: 'The webhooks of the environment, newest first',
      response: dataOf(listOf(webhookBody)),
      errors: [],
      handle: (_sent, { caller }) => webhooks.list(caller),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      operationId: 'createWebhook',
      summary: 'Create a webhook; only this response contains its secret',
      status: 201,
      body: created,
      response: dataOf(webhookWithSecretBody),
      errors: ['validation_failed', 'webhook_limit_reached', 'unsupported_media_type'],
      handle: ({ body }, { author }) => webhooks.create(author, body),
    }),
  ];
}

function singleEndpoints(webhooks: Webhooks, { changed }: WebhookInputs): Endpoint[] {
  const shared = { ...managed, path: '/v1/webhooks/{webhook_id}' } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'readWebhook',
      summary: 'A webhook',
      response: dataOf(webhookBody),
      errors: ['webhook_not_found'],
      handle: ({ params }, { caller }) => webhooks.read(caller, params.webhook_id),
    }),
    endpoint({
      ...shared,
      method: 'PATCH',
      operationId: 'changeWebhook',
      summary: 'Change a webhook; enabling it sends its pending deliveries',
      body: changed,
      response: dataOf(webhookBody),
      errors: ['validation_failed', 'webhook_not_found', 'unsupported_media_type'],
      handle: ({ params, body }, { author }) => webhooks.change(author, params.webhook_id, body),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      operationId: 'removeWebhook',
      summary: 'Remove a webhook and its deliveries',
      status: 204,
      errors: ['webhook_not_found'],
      handle: ({ params }, { author }) => webhooks.remove(author, params.webhook_id),
    }),
    endpoint({
      ...managed,
      method: 'POST',
      path: '/v1/webhooks/{webhook_id}/rotate-secret',
      operationId: 'rotateWebhookSecret',
      summary: "Rotate a webhook's secret; only this response contains the new one",
      description: 'For 24 hours, deliveries in the standard format also carry a signature made with the old secret.',
      response: dataOf(webhookWithSecretBody),
      errors: ['webhook_not_found'],
      handle: ({ params }, { author }) => webhooks.rotateSecret(author, params.webhook_id),
    }),
  ];
}
