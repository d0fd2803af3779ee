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

/** What the operator may do with accounts. Every method throws an `Error` with one clear sentence on wrong input. */
export interface Accounts {
  create(input: { name: string; email: string; planId: string }): Promise<Account>;
  list(): Promise<Account[]>;
  setPlan(id: string, planId: string): Promise<void>;
  setOverage(id: string, overage: boolean): Promise<void>;
}

export function createAccounts(store: AccountsStore, plans: ReadonlyMap<string, Plan>, now: () => number): Accounts {
  const knownPlan = (planId: string): void => {
    if (!plans.has(planId))
      throw new Error(`there is no plan "${planId}"; choose one of ${[...plans.keys()].join(', ')}`);
  };
  const update = async (id: string, change: { planId?: string; overage?: boolean }): Promise<void> => {
    if (!(await store.update(id, change, now()))) throw new Error(`there is no account "${id}"`);
  };
  return {
    async create({ name, email, planId }) {
      knownPlan(planId);
      if (name.trim() === '' || name.length > 120) throw new Error('an account needs a name of 1 to 120 characters');
      if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) throw new Error(`"${email}" is not an email address`);
      const nowMs = now();
      const account = {
        id: ulid(nowMs).toLowerCase(),
        name: name.trim(),
        email,
        planId,
        overage: false,
        createdAtMs: nowMs,
      };
      await store.insert(account);
      return account;
    },
    list: () => store.list(),
    async setPlan(id, planId) {
      knownPlan(planId);
      await update(id, { planId });
    },
    setOverage: (id, overage) => update(id, { overage }),
  };
}
