import { createBlocklist } from '../blocklist/blocklist.ts';
import { blocklistEndpoints } from '../blocklist/blocklist-endpoints.ts';
import { createBlocklistStore } from '../blocklist/blocklist-store.ts';
import { blocklistConsoleEndpoints } from '../blocklist/console-endpoints.ts';
import { createMembership, type Membership } from '../blocklist/membership.ts';
import { createMembershipStore } from '../blocklist/membership-store.ts';
import { createSearchStore } from '../blocklist/search-store.ts';
import { blocklistTopic } from '../blocklist/stored-list-store.ts';
import type { Feature, Shared } from './feature.ts';

/** The customers' own lists, and their membership test for lookups. */
export interface BlocklistFeature extends Feature {
  readonly membership: Membership;
}

/** Builds the blocklists; `lastLookMs` says when changes were last looked for with success. */
export function createBlocklistFeature(shared: Shared, lastLookMs: () => number): BlocklistFeature {
  const { db, log, now, monotonicMs } = shared;
  const membership = createMembership({
    store: createMembershipStore(db),
    monotonicMs,
    lastLookMs,
    onError: (error) => log.warn({ err: error }, 'could not read a blocklist; the next lookup retries'),
  });
  const blocklist = createBlocklist(createBlocklistStore(db), membership, now);
  return {
    membership,
    endpoints: [...blocklistEndpoints(blocklist), ...blocklistConsoleEndpoints(blocklist, createSearchStore(db))],
    follows: [{ topic: blocklistTopic, changed: membership.changed, changedAll: membership.changedAll }],
    metrics: [],
    caches: { blocklist_entries: membership.size },
    async close() {},
  };
}
