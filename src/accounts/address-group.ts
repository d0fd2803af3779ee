import { parseIp } from '../address/ip.ts';
import { ipBytesToText } from '../address/ip-text.ts';

/** The unit that counts as one client: an IPv4 address, or an IPv6 /64 network, which providers usually assign to one customer. */
export function addressGroup(ip: string): string {
  if (!ip.includes(':')) return ip;
  const address = parseIp(ip);
  if (address === null || address.version === 4) return address?.text ?? ip;
  return `${ipBytesToText(address.bytes.map((octet, place) => (place < 8 ? octet : 0)))}/64`;
}
