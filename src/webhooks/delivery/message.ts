import { createHmac } from 'node:crypto';
import { wireTime } from '../../http/wire-time.ts';
import { dataText } from '../decision-batch.ts';
import type { Format, Secrets } from '../webhook.ts';
import type { ClaimedDelivery } from './outbox-store.ts';

/** The request to a receiver. */
export interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes and signs a delivery in its webhook's format. */
export function messageOf(claimed: ClaimedDelivery, format: Format, { current, old }: Secrets, nowMs: number): Message {
  if (current === null) {
    throw new Error(
      "The webhook's secret was encrypted with another SECRET_KEY. Restore that key, or rotate the secret.",
    );
  }
  const delivery = { ...claimed, data: dataText(claimed.eventType, claimed.data) };
  const previous = old !== null && old.secret !== null && old.untilMs > nowMs ? [old.secret] : [];
  return format === 'standard'
    ? standardMessage(delivery, [current, ...previous], nowMs)
    : userCheckMessage(delivery, current);
}

/** Follows standardwebhooks.com: every valid secret signs the id, the time and the body. */
function standardMessage(
  { eventId, eventType, data, createdAtMs }: ClaimedDelivery,
  secrets: readonly string[],
  nowMs: number,
) {
  const body = `{"type":${JSON.stringify(eventType)},"timestamp":"${wireTime(createdAtMs)}","data":${data}}`;
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': eventId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
  };
}

/** Signs as UserCheck receivers expect: only the body is signed, and the key is the secret's text as shown to the user. */
function userCheckMessage(delivery: ClaimedDelivery, secret: string) {
  const { id, eventType, data, createdAtMs, attempts } = delivery;
  const { domain } = JSON.parse(data) as { readonly domain?: string };
  const body = JSON.stringify({
    event: eventType,
    created_at: wireTime(createdAtMs),
    data: domain === undefined ? JSON.parse(data) : { domain },
  });
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-usercheck-signature': createHmac('sha256', secret).update(body).digest('hex'),
      'x-usercheck-event-type': eventType,
      'x-usercheck-delivery-id': id,
      'x-usercheck-attempt': String(attempts + 1),
    },
  };
}
