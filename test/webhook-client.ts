import assert from 'node:assert/strict';
import type { WireError } from './gate-client.ts';
import type { Response } from './inject.ts';
import type { StartedApp } from './start-app.ts';

/** A webhook in a response, with the fields that tests use. */
export interface WireWebhook {
  readonly id: string;
  readonly url: string;
  readonly secret?: string;
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
  readonly [field: string]: unknown;
}

/** A delivery in a response. */
export interface WireDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly event: string;
  readonly state: string;
  readonly attempts: number;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
  readonly [field: string]: unknown;
}

type Method = Parameters<StartedApp['request']>[0];

/** Calls the webhook endpoints with one key. */
export interface WebhookClient {
  call<T = WireError>(method: Method, path: string, body?: unknown): Promise<Response<T>>;
  create(body?: object): Promise<WireWebhook & { readonly secret: string }>;
  read(id: string): Promise<WireWebhook>;
  deliveries(id: string): Promise<readonly WireDelivery[]>;
}

/** A client with a key of the first account, unless another key is given. */
export function webhookClient(
  started: Pick<StartedApp, 'request' | 'keys'>,
  key = started.keys.production,
): WebhookClient {
  const call = <T = WireError>(method: Method, path: string, body?: unknown) =>
    started.request<T>(method, path, { key, ...(body === undefined ? {} : { body }) });
  const dataOf = async <T>(expected: number, answer: Promise<Response<{ data: T }>>): Promise<T> => {
    const { status, json, text } = await answer;
    assert.equal(status, expected, text);
    return json.data;
  };
  return {
    call,
    create: (body = {}) =>
      dataOf(
        201,
        call('POST', '/v1/webhooks', { url: 'https://receiver.example/', events: ['domain.flagged.spam'], ...body }),
      ),
    read: (id) => dataOf(200, call('GET', `/v1/webhooks/${id}`)),
    deliveries: (id) => dataOf(200, call('GET', `/v1/webhooks/${id}/deliveries`)),
  };
}
