import { isLoopback } from '../client-address.ts';

/**
 * Whether a page of another origin sent the request. The `Host` header proves nothing, because an attacker's name may resolve to
 * this machine (DNS rebinding): only `PUBLIC_URL` and loopback names count. Programs send no `Origin`.
 */
export function isCrossOrigin(origin: string | undefined, publicUrl: string | null): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || !isOurs(new URL(origin), publicUrl);
}

function isOurs({ origin, hostname }: URL, publicUrl: string | null): boolean {
  if (publicUrl !== null && new URL(publicUrl).origin === origin) return true;
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
