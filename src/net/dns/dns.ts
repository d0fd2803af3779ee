import { getServers } from 'node:dns';
import type { DnsAnswer, DnsSource } from '../../mail/dns-source.ts';
import type { Deadline } from '../../platform/deadline.ts';
import { detachedCopy } from '../../platform/detached-copy.ts';
import { type CacheCounters, createDnsCache } from './dns-cache.ts';
import type { CacheLimits } from './dns-cached-answers.ts';
import { failed, type QuestionType, type RecordOf, readName } from './dns-question.ts';
import { createDnsResolver, type ResolverCounters } from './dns-resolver.ts';
import { parseServerAddress, type ServerAddress } from './dns-servers.ts';
import { createDnsTrust, type DnsTrust, isLying, type TrustChange, type TrustCounters } from './dns-trust.ts';

/** The counters of the DNS client. */
export interface DnsMetrics extends CacheCounters, ResolverCounters, TrustCounters {
  readonly inFlight: number;
  readonly waiting: number;
  readonly entries: number;
  readonly bytes: number;
}

/** The DNS client for signals, with its metrics. */
export interface Dns extends DnsSource {
  metrics(): DnsMetrics;
  /** Whether every trusted server proves itself now: then their answers until now may be stored. */
  prove(): Promise<boolean>;
  /** The trust in each server. */
  serverTrust(): ReturnType<DnsTrust['serverTrust']>;
  /** Aborts every query in progress; later lookups fail immediately unless they are cached. */
  close(): void;
}

export interface DnsOptions extends Partial<CacheLimits> {
  /** `ip[:port]` or `[v6]:port` each; null takes the system's. */
  readonly servers: readonly string[] | null;
  /** No question leaves the machine. */
  readonly offline: boolean;
  readonly now: () => number;
  /** Names that every honest server knows. Without any, every server is trusted. */
  readonly mustExist?: readonly string[];
  /** Called when a server turns out to lie, or to be honest again. */
  readonly onTrustChange?: (change: TrustChange) => void;
  readonly maxInFlight?: number;
  readonly maxWaiting?: number;
  /** How long one query may continue in the background. */
  readonly questionMs?: number;
}

/** Creates the DNS client; throws when a server is not an address. */
export function createDns(options: DnsOptions): Dns {
  if (options.offline) return createOfflineDns();
  const { now, maxInFlight = 2_000 } = options;
  const servers = (options.servers ?? getServers()).map(requireServerAddress);
  if (servers.length === 0) throw new Error('No DNS server is configured.');
  const trust = createDnsTrust({
    servers,
    now,
    mustExist: options.mustExist ?? [],
    onChange(change) {
      cache.forgetLies(isLying(change.to) ? change.provenAtMs : now(), change.to === 'inventing' ? 'all' : 'denials');
      options.onTrustChange?.(change);
    },
  });
  const maxWaiting = options.maxWaiting ?? 4 * maxInFlight;
  const resolver = createDnsResolver({ servers, trust, now, maxInFlight, maxWaiting });
  const cache = createDnsCache({
    resolver,
    now,
    questionMs: options.questionMs ?? 5_000,
    limits: {
      maxEntries: options.maxEntries ?? 100_000,
      maxBytes: options.maxBytes ?? 64 * 1024 * 1024,
      maxEntryBytes: options.maxEntryBytes ?? 16 * 1024,
    },
  });

  function lookup<T extends QuestionType>(
    text: string,
    type: T,
    deadline: Deadline,
  ): DnsAnswer<RecordOf[T]> | Promise<DnsAnswer<RecordOf[T]>> {
    // Only names in canonical form are cached, so a hit needs no check of the name.
    const cached = cache.recall(text, type);
    if (cached !== null) return cached;
    const read = readName(text);
    if (read === 'unsupported') return failed('broken');
    // Nothing can be published under a name that cannot exist.
    if (read === 'impossible') return { kind: 'none', missing: 'name' };
    const known = read.name === text ? null : cache.recall(read.name, type);
    // The name may be a slice of a record, which the cache must not keep alive.
    return known ?? cache.ask({ name: detachedCopy(read.name), type }, deadline);
  }

  return {
    mx: (name, deadline) => lookup(name, 'MX', deadline),
    txt: (name, deadline) => lookup(name, 'TXT', deadline),
    a: (name, deadline) => lookup(name, 'A', deadline),
    aaaa: (name, deadline) => lookup(name, 'AAAA', deadline),
    metrics: () => ({
      ...resolver.counters,
      ...cache.counters,
      ...trust.counters,
      inFlight: resolver.inFlight(),
      waiting: resolver.waiting(),
      entries: cache.entries(),
      bytes: cache.bytes(),
    }),
    prove: trust.prove,
    serverTrust: trust.serverTrust,
    close() {
      trust.close();
      resolver.close();
    },
  };
}

/** Whether every server is known to lie. */
export function isUntrusted(dns: Pick<Dns, 'serverTrust'>): boolean {
  const servers = dns.serverTrust();
  return servers.length > 0 && servers.every(({ trust }) => isLying(trust));
}

/** A DNS client that sends no query: every answer is unknown. */
export function createOfflineDns(): Dns {
  const offline = () => failed('offline');
  const metrics: DnsMetrics = {
    ...{ questions: 0, sent: 0, timeouts: 0, failures: 0, busy: 0 },
    ...{ hits: 0, misses: 0, joined: 0, staleServed: 0 },
    ...{ probes: 0, distrusted: 0, disbelieved: 0 },
    ...{ inFlight: 0, waiting: 0, entries: 0, bytes: 0 },
  };
  return {
    ...{ mx: offline, txt: offline, a: offline, aaaa: offline },
    metrics: () => metrics,
    prove: async () => true,
    serverTrust: () => [],
    close: () => undefined,
  };
}

function requireServerAddress(text: string): ServerAddress {
  const server = parseServerAddress(text);
  if (server === null) throw new Error(`Not the address of a DNS server: ${text}`);
  return server;
}
