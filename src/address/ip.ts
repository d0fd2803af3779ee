import { ipBytesToText, ipTextToBytes } from './ip-text.ts';

/** An IP address. An IPv4-mapped IPv6 address is the IPv4 address it carries. */
export interface IpAddress {
  readonly version: 4 | 6;
  /** Canonical text: dotted quad, or RFC 5952. */
  readonly text: string;
  /** Network order, 4 or 16 octets. */
  readonly bytes: Uint8Array;
}

/** Reads an IPv4 dotted quad or an IPv6 address; null for anything else, zone ids and leading zeros in a quad included. */
export function parseIp(text: string): IpAddress | null {
  const bytes = ipTextToBytes(text);
  return bytes === null ? null : ipFromBytes(bytes);
}

/** The address of 4 or 16 octets in network order; null for any other count. */
export function ipFromBytes(bytes: Uint8Array): IpAddress | null {
  if (bytes.length !== 4 && bytes.length !== 16) return null;
  const octets = isMapped(bytes) ? bytes.slice(12) : bytes;
  return { version: octets.length === 4 ? 4 : 6, text: ipBytesToText(octets), bytes: octets };
}

/** ::ffff:0:0/96 (RFC 4291 section 2.5.5.2). */
function isMapped(bytes: Uint8Array): boolean {
  return (
    bytes.length === 16 && bytes[10] === 0xff && bytes[11] === 0xff && bytes.subarray(0, 10).every((byte) => byte === 0)
  );
}

interface Prefix {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/**
 * IPv4 that no public service answers on: the IANA special-purpose registry (RFC 6890) without its globally
 * reachable AS112 and AMT blocks, plus multicast.
 */
const reservedV4 = prefixes([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; its PCP and TURN anycast addresses are answered by the local network
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relay anycast, withdrawn by RFC 7526
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // future use, limited broadcast
]);

/** The only IPv6 space handed out so far (RFC 4291, IANA address space registry); all else is reserved by the IETF. */
const globalUnicast = prefix('2000::/3');

/** Special-purpose ranges inside global unicast (IANA special-purpose registry). */
const reservedV6 = prefixes([
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation, RFC 9637
]);

/** Prefixes followed by an IPv4 address that decides: NAT64 (RFC 6052) and 6to4 (RFC 3056). */
const embedding = [
  { prefix: prefix('64:ff9b::/96'), offset: 12 },
  { prefix: prefix('2002::/16'), offset: 2 },
];

/** Whether an address is not a public host's: private, loopback, link-local, multicast, documentation and the like. */
export function isReserved(ip: IpAddress): boolean {
  if (ip.version === 4) return reservedV4.some((entry) => covers(entry, ip));
  for (const { prefix: outer, offset } of embedding) {
    if (!covers(outer, ip)) continue;
    const inner = ipFromBytes(ip.bytes.slice(offset, offset + 4));
    return inner === null || isReserved(inner);
  }
  return !covers(globalUnicast, ip) || reservedV6.some((entry) => covers(entry, ip));
}

function covers(entry: Prefix, ip: IpAddress): boolean {
  const whole = entry.length >> 3;
  for (let index = 0; index < whole; index++) {
    if (entry.bytes[index] !== ip.bytes[index]) return false;
  }
  const rest = entry.length & 7;
  return rest === 0 || (((entry.bytes[whole] ?? 0) ^ (ip.bytes[whole] ?? 0)) & (0xff00 >> rest) & 0xff) === 0;
}

function prefixes(texts: readonly string[]): Prefix[] {
  return texts.map(prefix);
}

function prefix(text: string): Prefix {
  const [base = '', length = ''] = text.split('/');
  const ip = parseIp(base);
  if (ip === null) throw new Error(`not a prefix: ${text}`);
  return { bytes: ip.bytes, length: Number(length) };
}
