import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { boundedMap } from '../../platform/bounded-map.ts';
import type { Verification } from './format.ts';

/** How far the sender's clock may be off, in both directions. */
const toleranceMs = 300_000;

/** Signatures beyond this number are not compared: a server sends one for each of its few secrets. */
const maxSignatures = 8;

/** Preparing a key takes several times as long as verifying with it, and wrong signatures must be cheap. */
const preparedKeys = boundedMap<string, KeyObject>(10_000);

function preparedKey(secret: string, keyOf: (secret: string) => Buffer): KeyObject {
  const known = preparedKeys.get(secret);
  if (known !== undefined) return known;
  const key = createSecretKey(keyOf(secret));
  preparedKeys.set(secret, key);
  return key;
}

/** A signed request: the signatures were made over `prefix` and the body. */
export interface SignedRequest {
  /** The sender's time; null when the header has none that can be read. */
  readonly timeMs: number | null;
  readonly prefix: string;
  readonly body: Buffer;
  readonly signatures: readonly string[];
  readonly encoding: 'hex' | 'base64';
  /** The name of the header for people. */
  readonly header: string;
}

/** Finds the secret that made one of the signatures (HMAC-SHA256). Keys may be other bytes than the text of the secret. */
export function verifyHmac(
  request: SignedRequest,
  secrets: readonly string[],
  nowMs: number,
  keyOf: (secret: string) => Buffer = Buffer.from,
): Verification {
  const { timeMs, signatures, encoding, header } = request;
  if (timeMs === null || signatures.length === 0) return { problem: `the ${header} header cannot be read` };
  const offMs = timeMs - nowMs;
  if (Math.abs(offMs) > toleranceMs) {
    const seconds = Math.round(Math.abs(offMs) / 1_000);
    return {
      problem: `the time in the signature is ${seconds} s in the ${offMs < 0 ? 'past' : 'future'}; check the clocks`,
    };
  }
  const sent = signatures.slice(0, maxSignatures).map((signature) => Buffer.from(signature, encoding));
  for (const secret of secrets) {
    const hmac = createHmac('sha256', preparedKey(secret, keyOf)).update(request.prefix).update(request.body);
    // A digest as text is made several times as fast as one in a separate buffer.
    const expected = Buffer.from(hmac.digest('binary'), 'latin1');
    if (sent.some((signature) => isSame(signature, expected))) return { secret };
  }
  return { problem: `wrong signature: the ${header} header was made with another secret or another body` };
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A whole number of seconds or milliseconds; null for anything else. */
export function timeIn(text: string | undefined, unitMs: 1 | 1_000): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) * unitMs : null;
}

/** A header of the form `t=TIME,v1=HEX[,v1=HEX]`. */
export function timedSignatures(header: string): { readonly time: string | undefined; readonly signatures: string[] } {
  const pairs = header.split(',', 2 + maxSignatures).map((pair) => pair.trim().split('=', 2));
  const valuesOf = (name: string) => pairs.flatMap(([key, value]) => (key === name && value ? [value] : []));
  return { time: valuesOf('t')[0], signatures: valuesOf('v1').filter((text) => /^[0-9a-f]{64}$/i.test(text)) };
}

/** One value of a header. Node joins repeated headers, and lists only `set-cookie`. */
export function headerText(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
