import type { Bundles, History } from './history.ts';
import { measures, valueHash } from './hour-summary.ts';
import { detectedKinds } from './kinds.ts';
import type { ObservedRow } from './observed-row.ts';
import { thresholds } from './thresholds.ts';

const networkMeasure = detectedKinds.findIndex(({ kind }) => kind === 'network');

/** Counts the sign-ups of each bundle of usual values in a window. */
export class BundleCounts {
  readonly #bundles: Bundles;
  readonly #counts: Float64Array;

  constructor(bundles: Bundles) {
    this.#bundles = bundles;
    this.#counts = new Float64Array(bundles.expected.length);
  }

  add(row: ObservedRow): void {
    this.#count(this.#bundles.of.get(valueHash(measures.anyDomain, row.domain)));
    const network = detectedKinds[networkMeasure]?.keyOf(row) ?? 0;
    if (network !== 0) this.#count(this.#bundles.of.get(valueHash(networkMeasure, network)));
  }

  #count(bundle: number | undefined): void {
    if (bundle !== undefined) this.#counts[bundle] = (this.#counts[bundle] as number) + 1;
  }

  /** By how much usual values have risen above what they expect in so many average hours; at least 1. */
  rise(hours: number): number {
    const { expected, values } = this.#bundles;
    if (values < thresholds.minUsual) return 1;
    const rises = expected.map((one, bundle) => ((this.#counts[bundle] as number) + 1) / (one * hours + 1));
    rises.sort((one, other) => one - other);
    return Math.max(1, rises[Math.floor(rises.length / 2)] ?? 1);
  }
}

/** The hours of an average day that a window is worth at this time of day. */
export function worthOf(history: History, windowMs: number, hour: number): number {
  return windowMs > thresholds.windowMs ? windowMs / thresholds.windowMs : history.profileAt(hour);
}
