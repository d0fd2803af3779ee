import { ipFromBytes, parseIp } from './ip.ts';

/** The network of an IP address in canonical text, as traffic is counted by: its /24, of IPv6 its /48. Null for another text. */
export function networkOf(text: string): string | null {
  if (!text.includes(':')) {
    const lastDot = text.lastIndexOf('.');
    return lastDot < 0 ? null : `${text.slice(0, lastDot)}.0/24`;
  }
  const ip = parseIp(text);
  if (ip === null) return null;
  const first = Uint8Array.from(ip.bytes, (octet, index) => (index < 6 ? octet : 0));
  return `${ipFromBytes(first)?.text}/48`;
}

/** A network of that size in CIDR notation; null for anything else. */
export function parseNetwork(text: string): string | null {
  const [base = '', length, ...rest] = text.split('/');
  const ip = parseIp(base);
  if (ip === null || rest.length > 0 || length !== (ip.version === 4 ? '24' : '48')) return null;
  return networkOf(ip.text);
}
