/** Bytes as Web Crypto takes them. */
export type Bytes = ReturnType<InstanceType<typeof TextEncoder>['encode']>;

const encoder = new TextEncoder();
const hmac = { name: 'HMAC', hash: 'SHA-256' };

/** Limits the cost of verifying a header; above the number of secrets that are valid at the same time. */
const maxSignatures = 10;

/** Whether one of the signatures was made of these bytes by one of the secrets; Web Crypto compares in constant time. */
export async function isSigned(
  signed: Bytes,
  secrets: readonly Bytes[],
  signatures: readonly (Bytes | null)[],
): Promise<boolean> {
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', secret, hmac, false, ['verify']);
    for (const signature of signatures) {
      if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
    }
  }
  return false;
}

/** The signatures of Standard Webhooks: `v1,` and base64, separated by blanks; ignores other versions. */
export function standardSignatures(header: string): (Bytes | null)[] {
  const own = header.split(' ').filter((part) => part.startsWith('v1,'));
  return own.slice(0, maxSignatures).map((part) => fromBase64(part.slice(3)));
}

/** A signature of UserCheck: hexadecimal. */
export function userCheckSignature(header: string): Bytes | null {
  const pairs = /^[0-9a-f]{64}$/i.test(header.trim()) ? header.trim().match(/../g) : null;
  return pairs === null ? null : Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** The key encoded in a Standard Webhooks secret. */
export function standardKey(secret: string): Bytes {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (bytes === null) throw new TypeError('The secret of a webhook is whsec_ and base64');
  return bytes;
}

/** UserCheck uses the text of a secret as the key. */
export function userCheckKey(secret: string): Bytes {
  if (secret === '') throw new TypeError('The secret of a webhook must not be empty');
  return encoder.encode(secret);
}

/** A text and the bytes after it. */
export function joined(text: string, tail: Bytes): Bytes {
  const head = encoder.encode(text);
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

function fromBase64(text: string): Bytes | null {
  const digits = /^([A-Za-z0-9+/]+)={0,2}$/.exec(text)?.[1];
  if (digits === undefined || digits.length % 4 === 1) return null;
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}
