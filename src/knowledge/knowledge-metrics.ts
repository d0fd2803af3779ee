import type { Metric } from 'prom-client';
import type { Lists } from '../lists/lists.ts';
import type { DataEditions } from '../lists/refresh/data-editions.ts';
import type { DnsMetrics } from '../net/dns/dns.ts';
import type { Network } from '../net/feature.ts';
import { counterBy, gauge, gaugeBy, type Labelled } from '../platform/metric-kinds.ts';

/** Metrics of lists, DNS and registries, read when Prometheus scrapes them. */
export function knowledgeMetrics(lists: Lists, editions: DataEditions, network: Network, now: () => number): Metric[] {
  return [...listMetrics(lists, editions, now), ...dnsMetrics(network), ...registryMetrics(network)];
}

function listMetrics(lists: Lists, editions: DataEditions, now: () => number): Metric[] {
  const ageSeconds = (date: string): number => (now() - Date.parse(date)) / 1000;
  const ages = (): Labelled =>
    Object.fromEntries(editions.all().flatMap(({ name, date }) => (date === null ? [] : [[name, ageSeconds(date)]])));
  return [
    gauge('lists_age_seconds', 'Time since the list snapshot was compiled', () => ageSeconds(lists.builtAt)),
    gaugeBy(
      'source',
      'list_source_age_seconds',
      'Time since the edition of each dated list source was published',
      ages,
    ),
    gaugeBy('list', 'list_entries', 'Entries of the list snapshot by list', () => lists.status().counts),
  ];
}

/** The gauges of the DNS client; its other metrics count since the start. */
const dnsLevels: ReadonlySet<string> = new Set<keyof DnsMetrics>(['inFlight', 'waiting', 'entries', 'bytes']);

function dnsMetrics({ dns }: Network): Metric[] {
  const events = (): Labelled =>
    Object.fromEntries(
      Object.entries(dns.metrics())
        .filter(([name]) => !dnsLevels.has(name))
        .map(([name, count]) => [snakeCase(name), count]),
    );
  return [
    counterBy(
      'event',
      'dns_events_total',
      'Events of the DNS client since the start: queries, packets sent, timeouts, failures, cache hits, trust tests and others',
      events,
    ),
    gauge('dns_cache_bytes', 'Memory used by cached DNS responses', () => dns.metrics().bytes),
    gauge('dns_questions_running', 'DNS queries in flight', () => dns.metrics().inFlight),
    gauge('dns_questions_waiting', 'DNS queries queued because too many are in flight', () => dns.metrics().waiting),
    gaugeBy(
      'server',
      'dns_server_trusted',
      'Whether a DNS server passed its last trust test (1) or failed it (0); absent while unknown',
      () => Object.fromEntries(knownTrust(dns)),
    ),
  ];
}

function registryMetrics({ registrationDates }: Network): Metric[] {
  const { load, failures } = registrationDates;
  return [
    gauge('registry_questions_running', 'RDAP and WHOIS queries in flight', () => load().running),
    gauge(
      'registry_questions_waiting',
      'RDAP and WHOIS queries queued because too many are in flight',
      () => load().waiting,
    ),
    gauge('registry_breakers_open', 'Registry servers that are skipped because they keep failing', () => load().broken),
    counterBy('reason', 'registry_failures_total', 'RDAP and WHOIS queries that failed, by reason', failures),
  ];
}

function knownTrust(dns: Network['dns']): [server: string, trusted: 0 | 1][] {
  const known = dns.serverTrust().filter(({ trust }) => trust !== 'unproven');
  return known.map(({ server, trust }) => [server, trust === 'trusted' ? 1 : 0]);
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
