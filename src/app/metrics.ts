import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { Feature } from '../feature.ts';
import { gaugeBy, type Labelled } from '../platform/metric-kinds.ts';
import { version } from '../version.ts';

/** All metrics except those of requests. */
export function createMetrics(features: readonly Feature[], others: readonly Metric[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'signalpost_' });
  const metrics = [...others, ...features.flatMap(({ metrics: own = [] }) => own)];
  for (const metric of metrics) registry.registerMetric(metric);
  const caches: Sizes = Object.assign({}, ...features.map((feature) => feature.caches));
  registry.registerMetric(gaugeBy('cache', 'cache_entries', 'Entries cached in memory', () => sizesOf(caches)));
  registry.registerMetric(
    gaugeBy('what', 'unwritten_entries', 'Entries that wait in a write-behind buffer to be written to storage', () =>
      unwrittenEntries(features),
    ),
  );
  registry.registerMetric(
    gaugeBy('version', 'build_info', 'Always 1; the label has the version', () => ({ [version]: 1 })),
  );
  return registry;
}

/** Entries that wait to be written, by buffer. */
export function unwrittenEntries(features: readonly Feature[]): Labelled {
  const buffers = features.flatMap((feature) => feature.buffers ?? []);
  return Object.fromEntries(buffers.map(({ name, pending }) => [name, pending()]));
}

type Sizes = Readonly<Record<string, () => number>>;

function sizesOf(sizes: Sizes): Labelled {
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, size()]));
}
