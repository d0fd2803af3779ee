import { environments } from '../../accounts/key-text/key-format.ts';
import { removeBlocklists } from '../../blocklist/stored-list-store.ts';
import { removeCustomLists } from '../../custom-lists/custom-lists-store.ts';
import { removeSeenBy } from '../../seen/seen-retention.ts';
import { pruneRemovedDeliveries } from '../../webhooks/removal-store.ts';
import type { Service } from '../open-service.ts';

const gatesAtOnce = 100;
const rowsAtOnce = 1_000;

/**
 * Removes an account and everything that belongs to it. Users and keys are removed first, so that no new data arrives, the account last,
 * so that the same command can complete an interrupted removal.
 */
export async function removeAccount(
  { db, accounts, decisions, stores, by }: Service,
  accountId: string,
): Promise<void> {
  const { users, gates, webhooks, hooks, audit } = stores;
  for (const { id } of await users.list(accountId)) await users.remove(id, accountId, by, Date.now());
  await accounts.removeKeys(accountId);
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
  await stores.lookupCounts.remove(accountId);
  await stores.stats.remove(accountId);
  await removeSeenBy(stores.seen, accountId);
  await stores.firstSeen.remove(accountId, null, Date.now());
  await stores.flagging.removeAccount(accountId);
  await stores.waves.removeAccount(accountId);
  while ((await audit.forgetNames(accountId, rowsAtOnce)) > 0);
  await accounts.remove(accountId);
  await db.scrub();
}
