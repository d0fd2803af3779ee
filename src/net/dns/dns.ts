import { getServers } from 'node:dns';
import type { DnsAnswer, DnsSource } from '../../mail/dns-source.ts';
import type { Deadline } from '../../time/deadline.ts';
import { type CacheCounters, createDnsCache } from './dns-cache.ts';
import type { CacheLimits } from './dns-cache-entries.ts';
import { failed, type QuestionType, type RecordOf, readName } from './dns-question.ts';
import { createDnsResolver, type ResolverCounters } from './dns-resolver.ts';
import { parseServerAddress, type ServerAddress } from './dns-servers.ts';

/** What can be measured of the DNS client, at this moment. */
export interface DnsMetrics extends CacheCounters, ResolverCounters {
  readonly inFlight: number;
  readonly waiting: number;
  readonly entries: number;
  readonly bytes: number;
}

/** The DNS for signals, with what the process needs to watch and end it. */
export interface Dns extends DnsSource {
  metrics(): DnsMetrics;
  /** Ends every question under way; later ones fail at once unless they are remembered. */
  close(): void;
}

/** What the DNS client is made of. */
export interface DnsOptions extends Partial<CacheLimits> {
  /** `ip[:port]` or `[v6]:port` each; null takes the system's. */
  readonly servers: readonly string[] | null;
  /** No question leaves the machine. */
  readonly offline: boolean;
  readonly now: () => number;
  readonly maxInFlight?: number;
  readonly maxWaiting?: number;
  /** How long one question may go on in the background. */
  readonly questionMs?: number;
}

/** Makes the DNS client; throws when a server is not an address. */
export function createDns(options: DnsOptions): Dns {
  if (options.offline) return createOfflineDns();
  const { now, maxInFlight = 2_000 } = options;
  const servers = (options.servers ?? getServers()).map(requireServerAddress);
  if (servers.length === 0) throw new Error('There is no DNS server to ask.');
  const resolver = createDnsResolver({ servers, now, maxInFlight, maxWaiting: options.maxWaiting ?? 4 * maxInFlight });
  const cache = createDnsCache({
    resolver,
    now,
    questionMs: options.questionMs ?? 5_000,
    limits: {
      maxEntries: options.maxEntries ?? 100_000,
      maxBytes: options.maxBytes ?? 64 * 1024 * 1024,
      maxEntryBytes: options.maxEntryBytes ?? 64 * 1024,
    },
  });

  function lookup<T extends QuestionType>(
    text: string,
    type: T,
    deadline: Deadline,
  ): DnsAnswer<RecordOf[T]> | Promise<DnsAnswer<RecordOf[T]>> {
    // Only names in the right form are remembered, so a hit needs no check of the name.
    const remembered = cache.recall(text, type);
    if (remembered !== null) return remembered;
    const read = readName(text);
    if (read === 'unaskable') return failed('broken');
    // Nothing can be published under a name that cannot exist.
    if (read === 'impossible') return { kind: 'none', missing: 'name' };
    return (
      (read.name === text ? null : cache.recall(read.name, type)) ?? cache.ask({ name: read.name, type }, deadline)
    );
  }

  return {
    mx: (name, deadline) => lookup(name, 'MX', deadline),
    txt: (name, deadline) => lookup(name, 'TXT', deadline),
    a: (name, deadline) => lookup(name, 'A', deadline),
    aaaa: (name, deadline) => lookup(name, 'AAAA', deadline),
    metrics: () => ({
      ...resolver.counters,
      ...cache.counters,
      inFlight: resolver.inFlight(),
      waiting: resolver.waiting(),
      entries: cache.entries(),
      bytes: cache.bytes(),
    }),
    close: resolver.close,
  };
}

/** A DNS that is never asked: everything is unknown. */
export function createOfflineDns(): Dns {
  const offline = () => failed('offline');
  const nothing = { questions: 0, sent: 0, timeouts: 0, failures: 0, busy: 0 };
  const metrics = {
    ...nothing,
    hits: 0,
    misses: 0,
    joined: 0,
    staleServed: 0,
    inFlight: 0,
    waiting: 0,
    entries: 0,
    bytes: 0,
  };
  return { mx: offline, txt: offline, a: offline, aaaa: offline, metrics: () => metrics, close: () => undefined };
}

function requireServerAddress(text: string): ServerAddress {
  const server = parseServerAddress(text);
  if (server === null) throw new Error(`Not the address of a DNS server: ${text}`);
  return server;
}
