import { createAuditStore } from '../audit/audit-store.ts';
import { createUsersStore } from '../console/access/users-store.ts';
import { createCustomListsStore, heldListKinds } from '../custom-lists/custom-lists-store.ts';
import { createListEntriesStore } from '../custom-lists/list-entries-store.ts';
import type { Db } from '../db/db.ts';
import { createListCheck } from '../gates/custom-lists.ts';
import { createStatsStore } from '../gates/decisions/stats-store.ts';
import { createSubjectLogStore } from '../gates/decisions/subject-log-store.ts';
import { createGatesStore } from '../gates/gates-store.ts';
import { createHooksStore } from '../hooks/hooks-store.ts';
import { createListUsersStore } from '../lists/distribution/list-users-store.ts';
import { createLookupCountsStore } from '../overview/lookup-counts-store.ts';
import { createFirstSeenStore } from '../seen/first-seen-store.ts';
import { createFlaggingStore } from '../seen/flagging/flagging-store.ts';
import { createSeenStore } from '../seen/seen-store.ts';
import { createTrafficStore } from '../traffic/traffic-store.ts';
import { createWavesStore } from '../waves/waves-store.ts';
import { createWebhooksStore } from '../webhooks/webhooks-store.ts';

/** The stores of a database, for work that belongs to no feature: moving and erasing stored data. */
export type Stores = ReturnType<typeof openStores>;

/** Each store is built where it is used. */
export const openStores = (db: Db) => ({
  get audit() {
    return createAuditStore(db);
  },
  get customLists() {
    return createCustomListsStore(db);
  },
  get firstSeen() {
    return createFirstSeenStore(db);
  },
  get flagging() {
    return createFlaggingStore(db);
  },
  get gates() {
    return createGatesStore(
      db,
      createListCheck((trx, owner, listIds) => heldListKinds(trx, db, owner, listIds)),
    );
  },
  get hooks() {
    return createHooksStore(db);
  },
  get listEntries() {
    return createListEntriesStore(db);
  },
  get listUsers() {
    return createListUsersStore(db);
  },
  get lookupCounts() {
    return createLookupCountsStore(db);
  },
  get seen() {
    return createSeenStore(db);
  },
  get stats() {
    return createStatsStore(db);
  },
  get subjectLog() {
    return createSubjectLogStore(db);
  },
  get traffic() {
    return createTrafficStore(db);
  },
  get users() {
    return createUsersStore(db);
  },
  get waves() {
    return createWavesStore(db);
  },
  get webhooks() {
    return createWebhooksStore(db);
  },
});
