import type { Actor } from '../actor.ts';
import { ulid } from '../ulid.ts';
import type { AccountsStore } from './accounts-store.ts';
import type { Plan } from './plans.ts';

/** Who owns keys, plan and credits. */
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

/** What the operator may do with accounts. Every method throws an `Error` with one clear sentence on wrong input. */
export interface Accounts {
  create(input: { name: string; email: string; planId: string }): Promise<Account>;
  list(): Promise<Account[]>;
  /** Throws when there is no such account. */
  read(id: string): Promise<Account>;
  /** The plan an account has; throws when the account or its plan is not there. */
  planOf(id: string): Promise<Plan>;
  update(id: string, change: { name?: string; email?: string }): Promise<Account>;
  setPlan(id: string, planId: string): Promise<void>;
  setOverage(id: string, overage: boolean): Promise<void>;
  /** Ends every key of an account, at once and for good: the first step of removing it. */
  removeKeys(id: string): Promise<void>;
  /** Removes an account that has nothing any more. */
  remove(id: string): Promise<void>;
}

/** Accounts as `by` may change them. */
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
    async create({ name, email, planId }) {
      knownPlan(planId);
      const nowMs = now();
      const account = {
        id: ulid(nowMs).toLowerCase(),
        name: checkedName(name),
        email: checkedEmail(email),
        planId,
        overage: false,
        createdAtMs: nowMs,
      };
      await store.insert(account, by);
      return account;
    },
    list: () => store.list(),
    read: async (id) => found(id, await store.find(id)),
    planOf: async (id) => knownPlan(found(id, await store.find(id)).planId),
    update: (id, { name, email }) =>
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

function checkedName(name: string): string {
  if (name.trim() === '' || name.length > 120) throw new Error('an account needs a name of 1 to 120 characters');
  return name.trim();
}

function checkedEmail(email: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) throw new Error(`"${email}" is not an email address`);
  return email;
}
