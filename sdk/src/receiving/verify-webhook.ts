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
  const bytes = bytesOf(body);
  const header = readerOf(headers);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!standardHeaders.some(header) && !userCheckHeaders.some(header)) throw unsigned();
  if (standardHeaders.some(header)) {
    const signature = needed(header, 'webhook-signature');
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

const standardHeaders = ['webhook-signature', 'webhook-id', 'webhook-timestamp'];
const userCheckHeaders = ['x-usercheck-signature', 'x-usercheck-delivery-id'];

/** The bytes that were signed. A parsed body has lost them, and no signature would ever match. */
function bytesOf(body: unknown): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // `instanceof` would not recognise a buffer of another realm, such as a test runner's.
  if (/^\[object (Uint8Array|ArrayBuffer)\]$/.test(Object.prototype.toString.call(body))) {
    return new Uint8Array(body as ArrayBuffer);
  }
  throw new TypeError(
    'verifyWebhook needs the raw body (a string or bytes), not a parsed one: the signature covers its bytes. Use ' +
      "`await request.text()`, or in Express `express.raw({ type: 'application/json' })` for this route",
  );
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
  refusal(
    'wrong_signature',
    'The delivery was not signed with this secret, or its body was changed: altered on its way, or parsed and serialised again.',
  );
const unsigned = () =>
  refusal(
    'missing_header',
    'There is neither a webhook-signature nor an x-usercheck-signature header: the request is not a delivery, or a proxy removed its headers.',
  );

function refusal(code: string, message: string, cause?: unknown): WebhookVerificationError {
  return new WebhookVerificationError(message, { code, cause });
}
