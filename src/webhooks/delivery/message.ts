import { createHmac } from 'node:crypto';
import { wireTime } from '../../http/wire-time.ts';
import { dataText } from '../decision-batch.ts';
import type { Format, Secrets } from '../webhook.ts';
import type { ClaimedDelivery } from './outbox-store.ts';

/** What is sent to a receiver. */
export interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A delivery as its webhook's format writes and signs it. */
export function messageOf(claimed: ClaimedDelivery, format: Format, secrets: Secrets, nowMs: number): Message {
  const delivery = { ...claimed, data: dataText(claimed.eventType, claimed.data) };
  return format === 'standard' ? standardMessage(delivery, secrets, nowMs) : userCheckMessage(delivery, secrets);
}

/** As standardwebhooks.com writes it: the id, the time and the body are signed, by every secret that is valid. */
function standardMessage({ eventId, eventType, data, createdAtMs }: ClaimedDelivery, secrets: Secrets, nowMs: number) {
  const body = `{"type":${JSON.stringify(eventType)},"timestamp":"${wireTime(createdAtMs)}","data":${data}}`;
  const timestamp = String(Math.floor(nowMs / 1_000));
  const { current, old } = secrets;
  const valid = old !== null && old.untilMs > nowMs ? [current, old.secret] : [current];
  const signatures = valid.map((secret) => {
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

/** As receivers of UserCheck expect it: the body alone is signed, with the text of the secret as it is shown. */
function userCheckMessage(delivery: ClaimedDelivery, { current }: Secrets) {
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
      'x-usercheck-signature': createHmac('sha256', current).update(body).digest('hex'),
      'x-usercheck-event-type': eventType,
      'x-usercheck-delivery-id': id,
      'x-usercheck-attempt': String(attempts + 1),
    },
  };
}
