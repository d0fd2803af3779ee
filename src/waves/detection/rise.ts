import { type Bundles, type History, networkMeasure } from './history.ts';
import { measures, valueHash } from './hour-summary.ts';
import { detectedKinds } from './kinds.ts';
import type { ObservedRow } from './observed-row.ts';
import { thresholds } from './thresholds.ts';

/** By how much usual domains and usual networks of an environment have risen in a window; at least 1. */
export interface Rise {
  readonly domains: number;
  readonly networks: number;
}

/** Measures the rise in the rows of a window that expects so many average hours. */
export function riseOf(rows: readonly ObservedRow[], { domains, networks }: History, hours: number): Rise {
  if (domains.values + networks.values < thresholds.minUsual) return { domains: 1, networks: 1 };
  const keyOfNetwork = detectedKinds[networkMeasure]?.keyOf ?? (() => 0);
  const byDomain = new Float64Array(domains.expected.length);
  const byNetwork = new Float64Array(networks.expected.length);
  for (const row of rows) {
    count(byDomain, domains.of.get(valueHash(measures.anyDomain, row.domain)));
    const network = keyOfNetwork(row);
    if (network !== 0) count(byNetwork, networks.of.get(valueHash(networkMeasure, network)));
  }
  return { domains: medianRise(byDomain, domains, hours), networks: medianRise(byNetwork, networks, hours) };
}

function count(counts: Float64Array, bundle: number | undefined): void {
  if (bundle !== undefined) counts[bundle] = (counts[bundle] as number) + 1;
}

function medianRise(counts: Float64Array, { expected }: Bundles, hours: number): number {
  const rises = expected.map((one, bundle) => ((counts[bundle] as number) + 1) / (one * hours + 1));
  rises.sort((one, other) => one - other);
  return Math.max(1, rises[Math.floor(rises.length / 2)] ?? 1);
}
