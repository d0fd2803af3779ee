import { WebhookVerificationError } from '../errors.ts';
import {
  type Bytes,
  isSigned,
  joined,
  standardKey,
  standardSignatures,
  userCheckKey,
  userCheckSignature,
} from './signature.ts';

/** A received delivery. */
export interface ReceivedWebhook {
  /** The raw body, not parsed and serialised again: the signature covers its bytes. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the webhook (`whsec_…`), or several. */
  readonly secret: string | readonly string[];
}

/** Options of the verification. */
export interface VerifyOptions {
  /** The maximum age of a delivery, or its distance in the future; 300 by default. UserCheck's format carries no time. */
  readonly toleranceSeconds?: number;
  readonly now?: () => number;
}

/** A verified event. */
export interface WebhookEvent {
  /** The same for every attempt: skip an event whose id you have already processed. */
  readonly id: string;
  /** `domain.flagged.disposable` and the like. */
  readonly type: string;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Returns the event of a delivery that was signed with the secret, in either format; throws `WebhookVerificationError` for any
 * other. It needs Web Crypto and nothing else.
 */
export async function verifyWebhook(
  { body, headers, secret }: ReceivedWebhook,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const bytes: Bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const header = readerOf(headers);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const signature = header('webhook-signature');
  if (signature !== null) {
    const id = needed(header, 'webhook-id');
    const timestamp = needed(header, 'webhook-timestamp');
    if (!isRecent(timestamp, toleranceSeconds, now())) throw notRecent();
    const signed = joined(`${id}.${timestamp}.`, bytes);
    if (!(await isSigned(signed, secrets.map(standardKey), standardSignatures(signature)))) throw wrongSignature();
    const { type, timestamp: created_at, data } = jsonIn(bytes);
    return eventOf({ id, type, created_at, data });
  }
  const hex = needed(header, 'x-usercheck-signature');
  const id = needed(header, 'x-usercheck-delivery-id');
  if (!(await isSigned(bytes, secrets.map(userCheckKey), [userCheckSignature(hex)]))) throw wrongSignature();
  const { event: type, created_at, data } = jsonIn(bytes);
  return eventOf({ id, type, created_at, data });
}

type ReadHeader = (name: string) => string | null;

function readerOf(headers: ReceivedWebhook['headers']): ReadHeader {
  if (headers instanceof Headers) return (name) => headers.get(name);
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name);
    return typeof value === 'string' ? value : (value?.join(' ') ?? null);
  };
}

function needed(header: ReadHeader, name: string): string {
  const value = header(name);
  if (value === null || value === '') throw refusal('missing_header', `There is no ${name} header.`);
  return value;
}

function isRecent(timestamp: string, toleranceSeconds: number, nowMs: number): boolean {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  return Math.abs(Math.floor(nowMs / 1_000) - seconds) <= toleranceSeconds;
}

function jsonIn(bytes: Bytes): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw refusal('malformed', 'The body is not JSON.', cause);
  }
}

function eventOf({ id, type, created_at, data }: Readonly<Record<keyof WebhookEvent, unknown>>): WebhookEvent {
  if (typeof type !== 'string' || typeof created_at !== 'string' || typeof data !== 'object' || data === null) {
    throw refusal('malformed', 'The body is not an event.');
  }
  return { id: String(id), type, created_at, data: data as WebhookEvent['data'] };
}

const notRecent = () => refusal('not_recent', 'The delivery was not sent just now, or the clocks differ.');
const wrongSignature = () =>
  refusal('wrong_signature', 'The delivery was not signed with this secret, or was changed on its way.');

function refusal(code: string, message: string, cause?: unknown): WebhookVerificationError {
  return new WebhookVerificationError(message, { code, cause });
}
