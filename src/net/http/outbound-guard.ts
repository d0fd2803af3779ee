import { promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isReserved, parseIp } from '../../address/ip.ts';

/** Resolves a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export interface OutboundGuardOptions {
  /** Exact origins exempt from the address rules: `http://127.0.0.1:5380`, `whois://127.0.0.1:4343`. */
  readonly allowOrigins?: readonly string[];
  /** Defaults to the system's resolver. */
  readonly resolve?: ResolveHost;
}

/** Decides which addresses an outgoing connection may reach. */
export interface OutboundGuard {
  /** Whether the operator exempted this origin. */
  isExempt(origin: string): boolean;
  /** Throws `OutboundBlockedError` when the host is a literal address that is not allowed: no lookup checks it. */
  checkHost(hostname: string, origin: string): void;
  /** The `lookup` of a connection to this origin: it returns checked addresses only. */
  lookup(origin: string): LookupFunction;
}

/** A connection was refused because it would reach an address that is not on the public internet. */
export class OutboundBlockedError extends Error {
  constructor(hostname: string) {
    super(`${hostname} is not a public address`);
    this.name = 'OutboundBlockedError';
  }
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'whois:': '43' };

/** `scheme://host:port` in one spelling, the default port filled in, so that two spellings of an origin are equal. */
export function originOf(url: URL): string {
  return `${url.protocol}//${url.hostname.toLowerCase()}:${url.port || (defaultPorts[url.protocol] ?? '')}`;
}

/** Whether an address, in text, is on the public internet. False for anything that is not an address. */
export function isPublicAddress(text: string): boolean {
  const ip = parseIp(text);
  return ip !== null && !isReserved(ip);
}

/**
 * Keeps outgoing connections away from private networks (server-side request forgery). The check sits in the
 * connection's own look-up, so that no second DNS answer can differ from the one that was checked (rebinding).
 */
export function createOutboundGuard(options: OutboundGuardOptions = {}): OutboundGuard {
  const exempt = new Set((options.allowOrigins ?? []).map((origin) => originOf(new URL(origin))));
  const resolve = options.resolve ?? resolveWithSystem;
  const isExempt = (origin: string) => exempt.has(originOf(new URL(origin)));

  return {
    isExempt,
    checkHost(hostname, origin) {
      if (isIP(hostname) !== 0 && !isExempt(origin) && !isPublicAddress(hostname)) {
        throw new OutboundBlockedError(hostname);
      }
    },
    lookup(origin) {
      const anyAddress = isExempt(origin);
      return (hostname, { all, family }, callback) => {
        resolve(hostname).then(
          (found) => {
            const usable = found.filter((address) => anyAddress || isPublicAddress(address));
            const addresses = usable
              .map((address) => ({ address, family: isIP(address) }))
              .filter((entry) => entry.family !== 0 && (!isFamily(family) || entry.family === family));
            const first = addresses[0];
            if (first === undefined) {
              callback(found.length > usable.length ? new OutboundBlockedError(hostname) : notFound(hostname), '', 0);
            } else if (all === true) {
              callback(null, addresses);
            } else {
              callback(null, first.address, first.family);
            }
          },
          (error) => callback(error instanceof Error ? error : notFound(hostname), '', 0),
        );
      };
    },
  };
}

function isFamily(family: unknown): family is 4 | 6 {
  return family === 4 || family === 6;
}

async function resolveWithSystem(hostname: string): Promise<string[]> {
  const found = await dns.lookup(hostname, { all: true });
  return found.map((entry) => entry.address);
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}
