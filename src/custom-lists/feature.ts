import type { NameActors } from '../actor.ts';
import type { Feature, Shared } from '../feature.ts';
import { type CustomLists, createCustomLists } from './custom-lists.ts';
import { customListsEndpoints } from './custom-lists-endpoints.ts';
import { createCustomListsStore, customListsTopic } from './custom-lists-store.ts';
import { createListEntriesStore } from './list-entries-store.ts';
import { createListMembership, type ListMembership } from './list-membership.ts';
import { createListMembershipStore } from './list-membership-store.ts';
import { purgeEntries } from './purge-store.ts';

/** The accounts' own lists, and their members for rules. */
export interface CustomListsFeature extends Feature {
  readonly membership: ListMembership;
  readonly lists: CustomLists;
}

export function createCustomListsFeature({ db, log, now }: Shared, nameActors: NameActors): CustomListsFeature {
  const membership = createListMembership({
    store: createListMembershipStore(db),
    now,
    onError: (error) => log.warn({ err: error }, 'could not read changes of custom lists; the next decision retries'),
  });
  const entries = createListEntriesStore(db);
  const lists = createCustomLists({ lists: createCustomListsStore(db), entries, membership, now });
  return {
    membership,
    lists,
    endpoints: customListsEndpoints(lists, nameActors, now),
    follows: [{ topic: customListsTopic, changed: membership.changed, changedAll: membership.changedAll }],
    caches: { custom_list_entries: membership.size },
    jobs: [
      {
        name: 'purge-custom-lists',
        everyMs: 3_600_000,
        lease: { forMs: 7_200_000 },
        failure: 'expired entries of custom lists could not be removed; the next attempt is in an hour',
        run: () => purgeEntries(db, now()),
      },
    ],
  };
}
