import type { Caller, Owner } from '../http/endpoint.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { accountCaller } from './account-caller.ts';
import type { AccountsStore } from './accounts-store.ts';
import type { Plan } from './plans.ts';

/** Accounts as callers without a key, from memory where possible. */
export interface AccountCallers {
  /** Null when the account no longer exists. */
  callerOf(owner: Owner): Caller | null | Promise<Caller | null>;
  forgetAccount(accountId: string): void;
  forgetAll(): void;
}

const maxCallers = 10_000;

export function createAccountCallers(
  store: Pick<AccountsStore, 'find'>,
  plans: ReadonlyMap<string, Plan>,
): AccountCallers {
  const known = boundedMap<string, Caller>(maxCallers);
  let generation = 0;
  const load = async ({ accountId, environment }: Owner): Promise<Caller | null> => {
    const before = generation;
    const account = await store.find(accountId);
    if (account === null) return null;
    const caller = accountCaller(account, plans, environment, '');
    // A change announced while the query ran may be newer than the query's result.
    if (before === generation) known.set(`${accountId}/${environment}`, caller);
    return caller;
  };
  return {
    callerOf: (owner) => known.get(`${owner.accountId}/${owner.environment}`) ?? load(owner),
    forgetAccount(accountId) {
      generation += 1;
      for (const [key, caller] of known.entries()) if (caller.accountId === accountId) known.delete(key);
    },
    forgetAll() {
      generation += 1;
      known.clear();
    },
  };
}
