import { isReserved, parseIp } from '../address/ip.ts';

/** Longer lists are not read to their start: proxies append. */
const maxEntries = 50;

/** The last public address of a forwarded list, or the single address; null when there is none. The visitor writes the first. */
export function publicIpIn(sent: unknown): string | null {
  if (typeof sent !== 'string') return null;
  const entries = sent.split(',').slice(-maxEntries).toReversed();
  for (const entry of entries) {
    const ip = parseIp(entry.trim());
    if (ip !== null && !isReserved(ip)) return ip.text;
  }
  return null;
}
