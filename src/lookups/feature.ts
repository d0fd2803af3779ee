import type { BlocklistFeature } from '../blocklist/feature.ts';
import type { Feature, Shared } from '../feature.ts';
import type { Knowledge } from '../knowledge/feature.ts';
import { counterBy } from '../platform/metric-kinds.ts';
import { createLookup, type Lookup } from './lookup.ts';
import { lookupsEndpoints, type MxCounts, type OnLookup } from './lookups-endpoints.ts';

/** Domains and addresses, looked up. */
export interface LookupsFeature extends Feature {
  readonly lookup: Lookup;
  readonly mxCounts: Readonly<MxCounts>;
}

/** Builds the lookups over facts, lists and customers' blocklists. */
export function createLookupsFeature(
  { config, now }: Shared,
  { lists, facts }: Knowledge,
  { membership }: BlocklistFeature,
  onLookup: OnLookup,
): LookupsFeature {
  const lookup = createLookup({ lists, facts, blocklist: membership, now, waitMaxMs: config.waitMaxMs });
  const mxCounts: MxCounts = { known: 0, unknown: 0 };
  return {
    lookup,
    mxCounts,
    endpoints: lookupsEndpoints(lookup, onLookup, mxCounts),
    metrics: [counterBy('mx', 'lookups_total', 'Answered lookups by whether mx was known', () => ({ ...mxCounts }))],
  };
}
