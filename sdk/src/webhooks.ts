import { type ApiPromise, data } from './api-promise.ts';
import type { BodyOf, Call, DataOf, QueryOf } from './call.ts';
import { type CursorPage, cursorPages, type Pages } from './pages.ts';
import { verifyWebhook } from './receiving/verify-webhook.ts';
import type { CallOptions } from './settings.ts';

/** An address that receives events. */
export interface Webhook extends DataOf<'readWebhook'> {}
/** A webhook with its secret, which is shown when it is new. */
export interface WebhookWithSecret extends DataOf<'createWebhook'> {}
/** The properties of a new webhook. */
export interface NewWebhook extends BodyOf<'createWebhook'> {}
/** Changes to a webhook. */
export interface WebhookChanges extends BodyOf<'changeWebhook'> {}
/** An event for one webhook, and the result of its delivery. */
export interface Delivery extends DataOf<'retryDelivery'> {}

/** The calls of webhooks: one line an endpoint. */
export const webhookCalls = (call: Call) => ({
  /** The webhooks of the environment, newest first. */
  list: (options?: CallOptions): ApiPromise<Webhook[]> => data(call('listWebhooks', {}, options)),
  /** Makes a webhook; its secret is in this answer only. */
  create: (webhook: NewWebhook, options?: CallOptions): ApiPromise<WebhookWithSecret> =>
    data(call('createWebhook', { body: webhook }, options)),
  /** One webhook. */
  get: (webhook_id: string, options?: CallOptions): ApiPromise<Webhook> =>
    data(call('readWebhook', { path: { webhook_id } }, options)),
  /** Changes only the given properties. */
  update: (webhook_id: string, changes: WebhookChanges, options?: CallOptions): ApiPromise<Webhook> =>
    data(call('changeWebhook', { path: { webhook_id }, body: changes }, options)),
  /** Removes a webhook and its deliveries. */
  delete: (webhook_id: string, options?: CallOptions): ApiPromise<void> =>
    call('removeWebhook', { path: { webhook_id } }, options),
  /** Gives it a new secret, which is in this answer only; the old one signs too for a day. */
  rotateSecret: (webhook_id: string, options?: CallOptions): ApiPromise<WebhookWithSecret> =>
    data(call('rotateWebhookSecret', { path: { webhook_id } }, options)),
  /** Sends a test event. */
  test: (webhook_id: string, options?: CallOptions): ApiPromise<Delivery> =>
    data(call('testWebhook', { path: { webhook_id } }, options)),
  /** Verifies a delivery that you received: returns its event, throws when it is not genuine. Makes no request. */
  verify: verifyWebhook,
  /** Deliveries to a webhook. */
  deliveries: {
    /** Deliveries, newest first: a page when awaited, all in `for await`. */
    list: (
      webhook_id: string,
      query: QueryOf<'listDeliveries'> = {},
      options?: CallOptions,
    ): Pages<CursorPage<Delivery>> =>
      cursorPages(
        (page: typeof query) => call('listDeliveries', { path: { webhook_id }, query: page }, options),
        query,
      ),
    /** Sends a delivery again now. */
    retry: (webhook_id: string, delivery_id: string, options?: CallOptions): ApiPromise<Delivery> =>
      data(call('retryDelivery', { path: { webhook_id, delivery_id } }, options)),
  },
});
