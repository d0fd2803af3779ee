import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { detachedCopy } from '../platform/detached-copy.ts';

/** How many proxies, or which proxy addresses, are trusted with `X-Forwarded-…`. */
export type TrustProxy = number | readonly string[] | null;

/** The client of a request, as far as the proxies in between are trusted. */
export interface ClientAddresses {
  /** The client's IP address, IPv4 in its own notation. */
  of(request: IncomingMessage): string;
  /** The host that the request was made with; undefined when it names none or an invalid one. */
  host(request: IncomingMessage): string | undefined;
  /** Scheme and host of links: those the request was made with. */
  baseUrl(request: IncomingMessage): string;
}

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const loopback = networks(['loopback']);
/** RFC 6598 is the shared address space of carriers and of some container networks. */
const privateNetworks = networks(['linklocal', 'uniquelocal', '100.64.0.0/10']);

export const isLoopback = (ip: string): boolean => contains(loopback, plainAddress(ip) ?? '');
export const isPrivate = (ip: string): boolean => contains(privateNetworks, plainAddress(ip) ?? '');

/** Reads `X-Forwarded-…` only as far as `trust` goes: a count of hops from us, or the addresses of proxies. */
export function createClientAddresses(trust: TrustProxy): ClientAddresses {
  const trusted = typeof trust === 'number' ? null : networks(trust ?? []);
  const isTrusted = (address: string, hop: number): boolean =>
    trusted === null ? hop < (trust as number) : contains(trusted, address);

  /** Cached per connection: it saves a request 0.3 µs, and 0.7 µs for an IPv4 address in IPv6 notation. */
  const peers = new WeakMap<Socket, string>();
  const peerOf = ({ socket }: IncomingMessage): string => {
    let peer = peers.get(socket);
    if (peer === undefined) {
      peer = plainAddress(socket.remoteAddress ?? '') ?? '';
      peers.set(socket, peer);
    }
    return peer;
  };
  const forwarded = (request: IncomingMessage, name: string): string | undefined =>
    trust !== null && isTrusted(peerOf(request), 0) ? lastOf(request.headers[name]) : undefined;

  const hostOf = (request: IncomingMessage): string | undefined =>
    [forwarded(request, 'x-forwarded-host'), request.headers.host].find((text) => text !== undefined && isHost(text));

  return {
    of(request) {
      const peer = peerOf(request);
      const header = trust === null ? undefined : request.headers['x-forwarded-for'];
      if (header === undefined) return peer;
      const hops = String(header).split(',').reverse();
      let client = peer;
      for (const [hop, text] of hops.entries()) {
        const next = plainAddress(text.trim());
        // Text that is not an address ("unknown") is ignored: the client is the peer that sent it.
        if (next === null || !isTrusted(client, hop)) break;
        client = next;
      }
      // The address may be kept for long, and a substring would keep the whole header in memory.
      return client === peer ? peer : detachedCopy(client);
    },
    host: hostOf,
    baseUrl(request) {
      const scheme = forwarded(request, 'x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http';
      return `${scheme}://${hostOf(request) ?? ownHost(request)}`;
    },
  };
}

/** A host name, an IPv4 address or an IPv6 literal, with an optional port (RFC 9112, section 3.2). */
export function isHost(text: string): boolean {
  const match = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,254}))(?::(\d{1,5}))?$/i.exec(text);
  if (match === null) return false;
  const [, literal, name = '', port = 0] = match;
  return (literal === undefined ? isHostName(name) : isIPv6(literal)) && Number(port) <= 65_535;
}

/** Labels of 1 to 63 characters (RFC 1035, section 2.3.4), 253 in total; underscores are in use, and so is a final dot. */
function isHostName(text: string): boolean {
  const name = text.replace(/\.$/, '');
  return (
    name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label))
  );
}

function ownHost({ socket }: IncomingMessage): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  return isIPv6(localAddress) ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
}

/** `192.0.2.1`, `192.0.2.1:5000`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:5000` as an address; null for anything else. */
export function plainAddress(text: string): string | null {
  const [, bracketed, beforePort] = /^\[([^\]]+)\](?::\d{1,5})?$|^([^:]+):\d{1,5}$/.exec(text) ?? [];
  const [address = ''] = (bracketed ?? beforePort ?? text).split('%');
  if (isIP(address) === 0) return null;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function networks(items: readonly string[]): BlockList {
  const list = new BlockList();
  for (const item of items.flatMap((name) => named[name] ?? [name])) {
    const [address = '', bits] = item.split('/');
    const isV6 = isIPv6(address);
    list.addSubnet(address, Number(bits ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

function contains(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version > 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header.at(-1) : header)?.split(',').at(-1)?.trim();
}
