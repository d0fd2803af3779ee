import { isIP } from 'node:net';
import { isPlainObject } from '../../input/json-value.ts';
import { parseBoundedJson } from '../../json-depth.ts';
import { isPublicAddress } from '../http/outbound-guard.ts';

/** RDAP base URLs (with a trailing slash) by domain suffix, in the order in which they are queried. */
export type RdapServers = ReadonlyMap<string, readonly string[]>;

/** Further URLs of a service are not kept. */
const maxUrls = 3;

/**
 * Reads a bootstrap registry (RFC 9224 §3, §4): `services` is a list of [suffixes, base URLs]. Null when it is not one.
 * Servers that cannot be used, or that `isAllowed` refuses, are left out; https is preferred, as the RFC asks.
 */
export function parseRdapBootstrap(
  text: Uint8Array,
  isAllowed: (server: URL) => boolean = isPublicServer,
): RdapServers | null {
  const document = parseBoundedJson(text);
  if (!isPlainObject(document) || typeof document.version !== 'string' || !Array.isArray(document.services))
    return null;
  const servers = new Map<string, readonly string[]>();
  for (const service of document.services) {
    if (!Array.isArray(service) || !isStrings(service[0]) || !isStrings(service[1])) return null;
    const bases = baseUrls(service[1], isAllowed);
    if (bases.length > 0) for (const suffix of service[0]) servers.set(suffix.toLowerCase(), bases);
  }
  return servers.size === 0 ? null : servers;
}

/** The servers of the longest suffix that covers a name, label by label (RFC 9224 §4); none when none does. */
export function findRdapServers(servers: RdapServers, name: string): readonly string[] {
  let suffix = name;
  for (;;) {
    const found = servers.get(suffix);
    if (found !== undefined) return found;
    const dot = suffix.indexOf('.');
    if (dot === -1) return servers.get('') ?? [];
    suffix = suffix.slice(dot + 1);
  }
}

/** Whether a server's name or address is on the public internet, as far as is known without a query. */
export function isPublicServer({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !/(?:^|\.)(?:localhost|local|internal)\.?$/.test(host);
}

function baseUrls(candidates: readonly string[], isAllowed: (server: URL) => boolean): string[] {
  const urls = candidates.map((text) => URL.parse(text)).filter((url) => url !== null);
  const usable = urls.filter((url) => url.username === '' && url.password === '' && isAllowed(url));
  const [secure, plain] = ['https:', 'http:'].map((protocol) => usable.filter((url) => url.protocol === protocol));
  // An https server that does not answer must not fall back to a server that anyone on the path can imitate.
  const bases = (secure?.length ? secure : (plain ?? [])).map(
    ({ origin, pathname }) => `${origin}${pathname}${pathname.endsWith('/') ? '' : '/'}`,
  );
  return [...new Set(bases)].slice(0, maxUrls);
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
