import { type IpAddress, ipFromBytes, parseIp } from './ip.ts';

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

/** The block of an IP address with so many bits, in CIDR notation. */
export function blockOf({ bytes }: Pick<IpAddress, 'bytes'>, bits: number): string {
  const first = bytes.map((octet, index) => octet & (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))));
  return `${ipFromBytes(first)?.text}/${bits}`;
}

/** The smallest block that has all of these; null when they have no bit in common. */
export function commonBlock(blocks: readonly string[]): string | null {
  const [first, ...others] = blocks.map((block) => {
    const [base = '', length = ''] = block.split('/');
    return { ip: parseIp(base), bits: Number(length) };
  });
  if (first === undefined || first.ip === null) return null;
  let { bits } = first;
  for (const other of others) {
    if (other.ip === null || other.ip.version !== first.ip.version) return null;
    bits = Math.min(bits, other.bits, commonBits(first.ip.bytes, other.ip.bytes));
  }
  return bits === 0 ? null : blockOf(first.ip, bits);
}

function commonBits(one: Uint8Array, other: Uint8Array): number {
  const index = one.findIndex((octet, at) => octet !== other[at]);
  return index === -1 ? one.length * 8 : index * 8 + Math.clz32((one[index] as number) ^ (other[index] as number)) - 24;
}
