import { collectDefaultMetrics, Registry } from 'prom-client';
import { version } from '../version.ts';
import type { Feature } from './feature.ts';
import { gaugeBy, type Labelled } from './metric-kinds.ts';

/** Everything `/metrics` tells besides the counts of requests. */
export function createMetrics(features: readonly Feature[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'signalpost_' });
  for (const metric of features.flatMap(({ metrics }) => metrics)) registry.registerMetric(metric);
  const { caches, unwritten } = joined(features);
  registry.registerMetric(gaugeBy('cache', 'cache_entries', 'Entries kept in memory', () => sizesOf(caches)));
  registry.registerMetric(
    gaugeBy('what', 'unwritten_entries', 'What waits to be written to the storage', () => sizesOf(unwritten)),
  );
  registry.registerMetric(gaugeBy('version', 'build_info', 'Which version runs; always 1', () => ({ [version]: 1 })));
  return registry;
}

type Sizes = Readonly<Record<string, () => number>>;

function joined(features: readonly Feature[]): { readonly caches: Sizes; readonly unwritten: Sizes } {
  return {
    caches: Object.assign({}, ...features.map((feature) => feature.caches)),
    unwritten: Object.assign({}, ...features.map((feature) => feature.unwritten)),
  };
}

function sizesOf(sizes: Sizes): Labelled {
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, size()]));
}
