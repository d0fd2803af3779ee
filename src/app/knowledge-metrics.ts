import { Gauge, type Registry } from 'prom-client';
import type { Knowledge } from './knowledge.ts';

/** Exports what can be counted of lists, DNS and registries. Everything is read when somebody scrapes. */
export function exportKnowledge(
  registry: Registry,
  { lists, dns, registry: registries }: Knowledge,
  now: () => number,
): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: `signalpost_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  gauge('lists_age_seconds', 'Age of the list snapshot', () => (now() - Date.parse(lists.builtAt)) / 1000);
  new Gauge({
    name: 'signalpost_list_entries',
    help: 'Entries of the list snapshot by kind',
    labelNames: ['list'] as const,
    registers: [registry],
    collect() {
      for (const [list, count] of Object.entries(lists.status().counts)) this.set({ list }, count);
    },
  });
  new Gauge({
    name: 'signalpost_dns',
    help: 'The DNS client: questions, cache hits, failures since the start; in flight, waiting, entries now',
    labelNames: ['what'] as const,
    registers: [registry],
    collect() {
      for (const [what, value] of Object.entries(dns.metrics())) this.set({ what }, value);
    },
  });
  gauge('registry_questions_running', 'Questions to registries under way', () => registries.load().running);
  gauge(
    'registry_questions_waiting',
    'Questions to registries waiting for their turn',
    () => registries.load().waiting,
  );
}
