import { environments } from '../../accounts/key-text/key-format.ts';
import { createAuditStore } from '../../audit/audit-store.ts';
import { removeBlocklists } from '../../blocklist/stored-list-store.ts';
import { createUsersStore } from '../../console/access/users-store.ts';
import { removeCustomLists } from '../../custom-lists/custom-lists-store.ts';
import { createStatsStore } from '../../gates/decisions/stats-store.ts';
import { createGatesStore } from '../../gates/gates-store.ts';
import { createHooksStore } from '../../hooks/hooks-store.ts';
import { createLookupCountsStore } from '../../overview/lookup-counts-store.ts';
import { createFirstSeenStore } from '../../seen/first-seen-store.ts';
import { createFlaggingStore } from '../../seen/flagging/flagging-store.ts';
import { removeSeenBy } from '../../seen/seen-retention.ts';
import { createSeenStore } from '../../seen/seen-store.ts';
import { createWavesStore } from '../../waves/waves-store.ts';
import { pruneRemovedDeliveries } from '../../webhooks/removal-store.ts';
import { createWebhooksStore } from '../../webhooks/webhooks-store.ts';
import type { Workspace } from '../workspace.ts';

const gatesAtOnce = 100;
const rowsAtOnce = 1_000;

/**
 * Removes an account and everything that belongs to it. Users and keys are removed first, so that no new data arrives, the account last,
 * so that the same command again completes what was interrupted.
 */
export async function removeAccount({ db, accounts, decisions, by }: Workspace, accountId: string): Promise<void> {
  const users = createUsersStore(db);
  for (const { id } of await users.list(accountId)) await users.remove(id, accountId, by, Date.now());
  await accounts.removeKeys(accountId);
  const gates = createGatesStore(db);
  const webhooks = createWebhooksStore(db);
  const hooks = createHooksStore(db);
  for (const environment of environments) {
    const owner = { accountId, environment, by };
    for (;;) {
      const some = await gates.list(owner, gatesAtOnce, null);
      for (const { id } of some) await gates.remove(owner, id, Date.now());
      if (some.length < gatesAtOnce) break;
    }
    for (const { id } of await webhooks.list(owner)) await webhooks.remove(owner, id, Date.now());
    for (const { id } of await hooks.list(owner)) await hooks.remove(owner, id, Date.now());
  }
  while ((await decisions.pruneRemoved(rowsAtOnce)) > 0);
  while ((await pruneRemovedDeliveries(db, rowsAtOnce)) > 0);
  await removeBlocklists(db, accountId, rowsAtOnce);
  await removeCustomLists(db, accountId);
  await createLookupCountsStore(db).remove(accountId);
  await createStatsStore(db).remove(accountId);
  await removeSeenBy(createSeenStore(db), accountId);
  await createFirstSeenStore(db).remove(accountId, null, Date.now());
  await createFlaggingStore(db).removeAccount(accountId);
  await createWavesStore(db).removeAccount(accountId);
  const audit = createAuditStore(db);
  while ((await audit.forgetNames(accountId, rowsAtOnce)) > 0);
  await accounts.remove(accountId);
  await db.scrub();
}
