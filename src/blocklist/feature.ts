import type { Feature, Shared } from '../feature.ts';
import { createBlocklist } from './blocklist.ts';
import { blocklistEndpoints } from './blocklist-endpoints.ts';
import { createBlocklistStore } from './blocklist-store.ts';
import { blocklistConsoleEndpoints } from './console-endpoints.ts';
import { createMembership, type Membership } from './membership.ts';
import { createMembershipStore } from './membership-store.ts';
import { createSearchStore } from './search-store.ts';
import { blocklistTopic } from './stored-list-store.ts';

/** The customers' blocklists, and their membership test for lookups. */
export interface BlocklistFeature extends Feature {
  readonly membership: Membership;
}

/** Builds the blocklists. */
export function createBlocklistFeature(shared: Shared): BlocklistFeature {
  const { db, log, now, monotonicMs } = shared;
  const builtMs = monotonicMs();
  let lastPollMs = (): number => builtMs;
  const membership = createMembership({
    store: createMembershipStore(db),
    monotonicMs,
    lastLookMs: () => lastPollMs(),
    onError: (error) => log.warn({ err: error }, 'could not read a blocklist; the next lookup retries'),
  });
  const blocklist = createBlocklist(createBlocklistStore(db), membership, now);
  return {
    membership,
    endpoints: [...blocklistEndpoints(blocklist), ...blocklistConsoleEndpoints(blocklist, createSearchStore(db))],
    follows: [
      {
        topic: blocklistTopic,
        changed: membership.changed,
        changedAll: membership.changedAll,
        begin(lastSuccessMs) {
          lastPollMs = lastSuccessMs;
        },
      },
    ],
    caches: { blocklist_entries: membership.size },
  };
}
