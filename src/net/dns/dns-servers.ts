import { isIP } from 'node:net';

/** A DNS server that this service may query. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
  readonly family: 4 | 6;
}

/** The servers in the order in which they are queried, healthy ones first. */
export interface DnsServers {
  order(): ServerAddress[];
  markHealthy(server: ServerAddress): void;
  /** It did not answer, could not be reached or refused to answer. */
  markFailed(server: ServerAddress): void;
}

const DNS_PORT = 53;
const FAILURE_REMEMBERED_MS = 10_000;

/** Reads `ip`, `ip:port`, `[v6]` or `[v6]:port`; null when it is none of these. */
export function parseServerAddress(text: string): ServerAddress | null {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text);
  const address = match?.[1] ?? match?.[2] ?? text;
  const port = match?.[3] === undefined ? DNS_PORT : Number(match[3]);
  const family = isIP(address);
  if (family === 0 || port < 1 || port > 65_535 || (match?.[1] !== undefined && family !== 6)) return null;
  return { address, port, family: family === 6 ? 6 : 4 };
}

/** How a server is written in messages: `ip:port`, `[v6]:port`. */
export function serverText({ address, port, family }: ServerAddress): string {
  return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Rotates over the servers to spread load; servers that failed recently, or lie, come last. */
export function createDnsServers(
  addresses: readonly ServerAddress[],
  now: () => number,
  isDistrusted: (server: ServerAddress) => boolean = () => false,
): DnsServers {
  const failedAtMs = new Map<ServerAddress, number>();
  let turn = 0;

  function hasFailed(server: ServerAddress, atMs: number): boolean {
    if (isDistrusted(server)) return true;
    const sinceMs = failedAtMs.get(server);
    // A clock set back must not exclude a server for days.
    return sinceMs !== undefined && Math.abs(atMs - sinceMs) < FAILURE_REMEMBERED_MS;
  }

  return {
    order() {
      const first = turn;
      turn = (turn + 1) % addresses.length;
      const rotated = [...addresses.slice(first), ...addresses.slice(0, first)];
      if (failedAtMs.size === 0 && !addresses.some(isDistrusted)) return rotated;
      const atMs = now();
      return rotated.sort((a, b) => Number(hasFailed(a, atMs)) - Number(hasFailed(b, atMs)));
    },
    markHealthy: (server) => failedAtMs.delete(server),
    markFailed: (server) => failedAtMs.set(server, now()),
  };
}
