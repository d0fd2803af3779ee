import { dataOf, pageOf } from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { pageBody, pageParameters } from '../http/page.ts';
import { query } from '../input/parameter.ts';
import { deliveryBody } from './webhook-body.ts';
import type { Webhooks } from './webhooks.ts';
import { managed } from './webhooks-endpoints.ts';

/** Lists and retries a webhook's deliveries, and sends test events: `…/deliveries` and `…/test`. */
export function deliveriesEndpoints(webhooks: Webhooks): Endpoint[] {
  return [
    endpoint({
      ...managed,
      method: 'GET',
      path: '/v1/webhooks/{webhook_id}/deliveries',
      operationId: 'listDeliveries',
      summary: 'The deliveries of the last 30 days, newest first',
      query: query(pageParameters('deliveries')),
      response: pageOf(deliveryBody),
      errors: ['validation_failed', 'webhook_not_found'],
      async handle({ params, query: { limit, cursor = null } }, { caller }) {
        const found = await webhooks.deliveries(caller, params.webhook_id, limit + 1, cursor);
        return pageBody('deliveries', found, limit);
      },
    }),
    endpoint({
      ...managed,
      method: 'POST',
      path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
      operationId: 'retryDelivery',
      summary: 'Retry a delivery immediately',
      response: dataOf(deliveryBody),
      errors: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
      handle: ({ params }, { author }) => webhooks.retry(author, params.webhook_id, params.delivery_id),
    }),
    endpoint({
      ...managed,
      method: 'POST',
      path: '/v1/webhooks/{webhook_id}/test',
      operationId: 'testWebhook',
      summary: 'Send a test event',
      description:
        'The event type is `webhook.test`. The service sends at most one per second; the list of deliveries shows the result.',
      status: 201,
      response: dataOf(deliveryBody),
      errors: ['webhook_not_found', 'webhook_disabled'],
      handle: ({ params }, { caller }) => webhooks.test(caller, params.webhook_id),
    }),
  ];
}
