import { isLoopback } from '../client-address.ts';

/**
 * Whether a page of another site sends this. The `Host` of a request proves nothing: a name of the attacker's may lead to
 * this machine (DNS rebinding), so only `PUBLIC_URL` and the names of the machine itself count. Programs send no `Origin`.
 */
export function isCrossOrigin(origin: string | undefined, publicUrl: string | null): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || !isOurs(new URL(origin), publicUrl);
}

function isOurs({ origin, hostname }: URL, publicUrl: string | null): boolean {
  if (publicUrl !== null && new URL(publicUrl).origin === origin) return true;
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
