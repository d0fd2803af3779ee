import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HookFormat, ReceivedCall, Verification } from './format.ts';

/** The members of a format whose server sends the secret itself: `Authorization: Bearer SECRET`. */
export const bearer = {
  header: 'authorization',
  createSecret: () => randomBytes(24).toString('base64url'),
  verify: (call, secrets) => verifyToken(call, secrets, /^Bearer +/i),
} satisfies Partial<HookFormat>;

/** Compares the token of `Authorization` with each secret; `scheme` precedes it. */
export function verifyToken({ headers }: ReceivedCall, secrets: readonly string[], scheme: RegExp): Verification {
  const sent = headers.authorization ?? '';
  const token = sent.replace(scheme, '');
  const secret = secrets.find((one) => isSame(token, one));
  if (secret !== undefined) return { secret };
  const arrived = scheme.test(sent)
    ? `a token of ${token.length} characters ending in "${endOf(token)}"`
    : 'no Bearer token';
  return { problem: `wrong secret: the Authorization header has ${arrived}` };
}

/** Compares hashes, so that the time reveals neither the first difference nor the lengths. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

/** The last four characters, as far as they can be shown: any client may send them. */
export function endOf(token: string): string {
  return token.slice(-4).replace(/[^\x21-\x7e]/g, '?');
}
