import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError, errorTable } from '../errors.ts';
import { type ClientAddresses, isLoopback, plainAddress } from './client-address.ts';
import type { Route } from './routing/route.ts';

/**
 * The names of this service. An attacker's name may resolve to this machine (DNS rebinding), and then the browser counts its pages
 * and ours as one origin. So pages and metrics need a known name; calls with a key do not.
 */
export interface KnownHosts {
  /** Whether pages are served under the request's host. An IP address always qualifies: no one else's page can have it. */
  isKnown(request: IncomingMessage): boolean;
  /** The base of sign-in links; throws `unknown_host` unless it is configured, loopback, or the address that was connected to. */
  linkBase(request: IncomingMessage): string;
}

/** The settings that determine the known names. */
export interface KnownHostsOptions {
  readonly publicUrl: string | null;
  /** Further names and addresses, without ports. */
  readonly allowedHosts: readonly string[];
  readonly addresses: Pick<ClientAddresses, 'host' | 'baseUrl'>;
}

export function createKnownHosts({ publicUrl, allowedHosts, addresses }: KnownHostsOptions): KnownHosts {
  const own = publicUrl === null ? [] : [new URL(publicUrl).host];
  const names = new Set(['localhost', ...own, ...allowedHosts].map(nameOf));
  /** A client without a `Host` is no browser. */
  const hostOf = (request: IncomingMessage): string =>
    request.headers.host === undefined ? 'localhost' : nameOf(addresses.host(request) ?? '');
  const isOwn = (name: string, { socket }: IncomingMessage): boolean =>
    names.has(name) || isLoopback(name) || (isIP(name) > 0 && name === plainAddress(socket.localAddress ?? ''));
  return {
    isKnown(request) {
      const name = hostOf(request);
      return isIP(name) > 0 || isOwn(name, request);
    },
    linkBase(request) {
      if (publicUrl !== null) return publicUrl;
      if (!isOwn(hostOf(request), request)) throw new AppError('unknown_host');
      return addresses.baseUrl(request);
    },
  };
}

/** Serves a page under known names only; others read how to add theirs. */
export function underKnownHost(hosts: KnownHosts, serve: Route['serve']): Route['serve'] {
  return (exchange) => {
    if (hosts.isKnown(exchange.request)) return serve(exchange);
    const { status, message } = errorTable.unknown_host;
    return exchange.send(status, 'text/plain; charset=utf-8', `${message}\n`);
  };
}

/** The name or address in a `Host` header, without port, brackets and final dot. */
function nameOf(host: string): string {
  if (isIP(host) > 0) return host;
  const [, bracketed, name = ''] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(host) ?? [];
  return (bracketed ?? name).toLowerCase().replace(/\.$/, '');
}
