import { isIP } from 'node:net';
import { isPlainObject } from '../../input/json-value.ts';
import { parseBoundedJson } from '../../json-depth.ts';
import { isPublicAddress } from '../http/outbound-guard.ts';

/** RDAP base URLs (with a trailing slash) by domain suffix. */
export type RdapServers = ReadonlyMap<string, string>;

/**
 * Reads a bootstrap registry (RFC 9224 §3, §4): `services` is a list of [suffixes, base URLs]. Null when it is not one.
 * Entries that cannot be used are left out; https is preferred, as the RFC asks. A registry that sends us to a server that
 * `mayAsk` refuses was not made by those who keep the true one: none of it is taken.
 */
export function parseRdapBootstrap(
  text: Uint8Array,
  mayAsk: (server: URL) => boolean = isPublicServer,
): RdapServers | null {
  const document = parseBoundedJson(text);
  if (!isPlainObject(document) || typeof document.version !== 'string' || !Array.isArray(document.services))
    return null;
  const servers = new Map<string, string>();
  for (const service of document.services) {
    if (!Array.isArray(service) || !isStrings(service[0]) || !isStrings(service[1])) return null;
    const base = baseUrl(service[1]);
    if (base === null) continue;
    if (!mayAsk(new URL(base))) return null;
    for (const suffix of service[0]) servers.set(suffix.toLowerCase(), base);
  }
  return servers.size === 0 ? null : servers;
}

/** The server of the longest suffix that covers a name, label by label (RFC 9224 §4); null when none does. */
export function findRdapServer(servers: RdapServers, name: string): string | null {
  let suffix = name;
  for (;;) {
    const server = servers.get(suffix);
    if (server !== undefined) return server;
    const dot = suffix.indexOf('.');
    if (dot === -1) return servers.get('') ?? null;
    suffix = suffix.slice(dot + 1);
  }
}

/** Whether a server's name or address is of the public internet, as far as can be told without asking. */
export function isPublicServer({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !/(?:^|\.)(?:localhost|local|internal)\.?$/.test(host);
}

function baseUrl(candidates: readonly string[]): string | null {
  const urls = candidates.map((text) => URL.parse(text)).filter((url) => url !== null);
  const url = urls.find((one) => one.protocol === 'https:') ?? urls.find((one) => one.protocol === 'http:');
  if (url === undefined || url.username !== '' || url.password !== '') return null;
  return `${url.origin}${url.pathname}${url.pathname.endsWith('/') ? '' : '/'}`;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
