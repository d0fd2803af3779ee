import { accountCaller, planOf } from '../../accounts/account-caller.ts';
import type { Account } from '../../accounts/accounts.ts';
import { createAccountsStore } from '../../accounts/accounts-store.ts';
import type { Plan } from '../../accounts/plans.ts';
import type { Shared } from '../../feature.ts';
import type { Caller, Environment } from '../../http/endpoint.ts';
import type { ChangeableAccounts } from '../account-endpoints.ts';
import type { AccountView, ConsoleAccounts } from '../me-body.ts';

/** Accounts as the console reads and changes them. */
export interface AccountsForConsole extends ConsoleAccounts, ChangeableAccounts {
  /** An account as a caller without a key; null when it no longer exists. */
  caller(accountId: string, environment: Environment): Promise<Caller | null>;
}

/** `onChange` evicts the account from this process's caches without waiting for the poll. */
export function consoleAccounts(
  { db, now }: Shared,
  plans: ReadonlyMap<string, Plan>,
  onChange: (accountId: string) => void,
): AccountsForConsole {
  const store = createAccountsStore(db);
  const view = (account: Account | null): AccountView | null =>
    account === null ? null : { ...account, plan: planOf(account, plans) };
  return {
    read: async (id) => view(await store.find(id)),
    async change(id, change, by) {
      const changed = await store.update(id, change, by, now());
      onChange(id);
      return view(changed);
    },
    async caller(accountId, environment) {
      const account = await store.find(accountId);
      return account === null ? null : accountCaller(account, plans, environment, '');
    },
  };
}
