import { type Accounts, createAccounts } from '../accounts/accounts.ts';
import { createAccountsStore } from '../accounts/accounts-store.ts';
import { createKeys, type Keys } from '../accounts/keys.ts';
import { createKeysStore } from '../accounts/keys-store.ts';
import { loadPlans } from '../accounts/plans.ts';
import type { Actor } from '../actor.ts';
import type { Config } from '../config.ts';
import { type Db, openDatabase } from '../db/db.ts';
import type { AddressKeys } from '../gates/decisions/address-key.ts';
import { loadAddressKeys } from '../gates/decisions/load-address-keys.ts';
import { type OpenDecisionLog, openDecisionLog } from '../gates/segments/open-decision-log.ts';
import { operator } from './operator.ts';

/** What commands work on: the server's database, also while the server runs. */
export interface Workspace {
  readonly db: Db;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly decisions: OpenDecisionLog;
  /** The form in which the log keeps addresses. */
  addressKeys(): Promise<AddressKeys>;
  /** The user who runs the command. */
  readonly by: Actor;
}

/** Opens the database for one command and closes it afterwards. */
export async function withWorkspace<T>(config: Config, work: (workspace: Workspace) => Promise<T>): Promise<T> {
  const plans = loadPlans(config.plansFile);
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, secretKey: config.secretKey });
  const by = operator();
  try {
    return await work({
      db,
      accounts: createAccounts(createAccountsStore(db), plans, Date.now, by),
      keys: createKeys(createKeysStore(db), Date.now, () => {}, by),
      decisions: openDecisionLog(db),
      addressKeys: () => loadAddressKeys(db, config),
      by,
    });
  } finally {
    await db.close();
  }
}
