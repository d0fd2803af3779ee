import { Gauge, type Metric } from 'prom-client';
import type { Lists } from '../lists/lists.ts';
import type { Network } from './network.ts';

/** What can be counted of lists, DNS and registries. Everything is read when somebody scrapes. */
export function knowledgeMetrics(lists: Lists, { dns, registrationDates }: Network, now: () => number): Metric[] {
  return [
    gauge('lists_age_seconds', 'Age of the list snapshot', () => (now() - Date.parse(lists.builtAt)) / 1000),
    gaugeBy('list', 'list_entries', 'Entries of the list snapshot by kind', () => lists.status().counts),
    gaugeBy(
      'what',
      'dns',
      'The DNS client: questions, cache hits, failures since the start; in flight, waiting, entries now',
      () => dns.metrics(),
    ),
    gaugeBy(
      'server',
      'dns_server_trusted',
      'Whether a DNS server proved itself (1) or is known to lie (0); absent while neither is known',
      () => Object.fromEntries(knownStandings(dns)),
    ),
    gauge('registry_questions_running', 'Questions to registries under way', () => registrationDates.load().running),
    gauge(
      'registry_questions_waiting',
      'Questions to registries waiting for their turn',
      () => registrationDates.load().waiting,
    ),
  ];
}

function knownStandings(dns: Network['dns']): [server: string, trusted: 0 | 1][] {
  const known = dns.standings().filter(({ standing }) => standing !== 'unproven');
  return known.map(({ server, standing }) => [server, standing === 'trusted' ? 1 : 0]);
}

function gauge(name: string, help: string, read: () => number): Metric {
  return new Gauge({
    name: `signalpost_${name}`,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
}

function gaugeBy(label: string, name: string, help: string, read: () => object): Metric {
  return new Gauge({
    name: `signalpost_${name}`,
    help,
    labelNames: [label],
    registers: [],
    collect() {
      for (const [key, value] of Object.entries(read())) this.set({ [label]: key }, value);
    },
  });
}
