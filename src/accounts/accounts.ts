import type { Actor } from '../actor.ts';
import { hasControlCharacters } from '../input/json-value.ts';
import { ulid } from '../ulid.ts';
import type { AccountsStore } from './accounts-store.ts';
import type { Plan } from './plans.ts';

/** A tenant: owns keys, a plan and credits. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly planId: string;
  readonly overage: boolean;
  readonly createdAtMs: number;
}

/** The fields of an account to change. */
export type AccountChange = Partial<Pick<Account, 'name' | 'email' | 'planId' | 'overage'>>;

/** The operator's actions on accounts. Every method throws an `Error` with a one-sentence explanation on invalid input. */
export interface Accounts {
  create(input: { name: string; email: string; planId: string }): Promise<Account>;
  list(): Promise<Account[]>;
  /** Throws when the account does not exist. */
  read(id: string): Promise<Account>;
  /** The account's plan; throws when the account or its plan does not exist. */
  planOf(id: string): Promise<Plan>;
  update(id: string, change: { name?: string; email?: string }): Promise<Account>;
  setPlan(id: string, planId: string): Promise<void>;
  setOverage(id: string, overage: boolean): Promise<void>;
  /** Deletes all keys of an account permanently: the first step of removing it. */
  removeKeys(id: string): Promise<void>;
  /** Removes an account whose keys, gates and blocklists have been removed. */
  remove(id: string): Promise<void>;
}

/** Creates the actions on accounts; the audit trail records `by` as their actor. */
export function createAccounts(
  store: AccountsStore,
  plans: ReadonlyMap<string, Plan>,
  now: () => number,
  by: Actor,
): Accounts {
  const knownPlan = (planId: string): Plan => {
    const plan = plans.get(planId);
    if (plan === undefined)
      throw new Error(`there is no plan "${planId}"; choose one of ${[...plans.keys()].join(', ')}`);
    return plan;
  };
  const found = <T>(id: string, value: T | null | false): T => {
    if (value === null || value === false) throw new Error(`there is no account "${id}"`);
    return value;
  };
  const update = async (id: string, change: AccountChange): Promise<Account> =>
    found(id, await store.update(id, change, by, now()));
  return {
    async create(input) {
      knownPlan(input.planId);
      const account = newAccount(input, now());
      await store.insert(account, by);
      return account;
    },
    list: () => store.list(),
    read: async (id) => found(id, await store.find(id)),
    planOf: async (id) => knownPlan(found(id, await store.find(id)).planId),
    update: async (id, { name, email }) =>
      update(id, {
        ...(name === undefined ? {} : { name: checkedName(name) }),
        ...(email === undefined ? {} : { email: checkedEmail(email) }),
      }),
    async setPlan(id, planId) {
      knownPlan(planId);
      await update(id, { planId });
    },
    async setOverage(id, overage) {
      await update(id, { overage });
    },
    async removeKeys(id) {
      found(id, await store.removeKeys(id, by, now()));
    },
    async remove(id) {
      found(id, await store.remove(id, by, now()));
    },
  };
}

function newAccount({ name, email, planId }: Parameters<Accounts['create']>[0], nowMs: number): Account {
  return {
    id: ulid(nowMs).toLowerCase(),
    name: checkedName(name),
    email: checkedEmail(email),
    planId,
    overage: false,
    createdAtMs: nowMs,
  };
}

function checkedName(name: string): string {
  if (name.trim() === '' || name.length > 120) throw new Error('an account needs a name of 1 to 120 characters');
  if (hasControlCharacters(name.trim())) throw new Error("an account's name may not contain control characters");
  return name.trim();
}

function checkedEmail(email: string): string {
  // The text is not repeated, because it would rewrite the terminal that shows the error.
  if (hasControlCharacters(email)) throw new Error("an account's email may not contain control characters");
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)
    throw new Error(`${JSON.stringify(email)} is not an email address`);
  return email;
}
