import type { Actor } from '../actor.ts';
import type { Db } from '../db/db.ts';
import type { Environment } from '../http/endpoint.ts';
import { ulid } from '../ulid.ts';
import type { Account } from './accounts.ts';
import { insertFirstAccount } from './first-account-store.ts';
import { environments } from './key-text/key-format.ts';
import { newKey } from './keys.ts';
import { firstPlanId, type Plan } from './plans.ts';

const by: Actor = { kind: 'service', id: 'first start', from: null };

/** The account and keys of the first start; the keys are shown only once. */
export interface FirstAccount {
  readonly account: Account;
  readonly keys: readonly { environment: Environment; key: string }[];
}

/**
 * Creates an account and a key per environment in an empty database; null when the database is not empty. When an operator's own
 * plans lack `self-hosted`, the account gets the first of them, so that the keys work.
 */
export async function createFirstAccount(
  db: Db,
  plans: ReadonlyMap<string, Plan>,
  now: () => number,
): Promise<FirstAccount | null> {
  const nowMs = now();
  const id = ulid(nowMs).toLowerCase();
  const account: Account = {
    id,
    name: 'Default',
    email: 'owner@localhost',
    planId: plans.has(firstPlanId) ? firstPlanId : ([...plans.keys()][0] ?? firstPlanId),
    overage: false,
    createdAtMs: nowMs,
  };
  const keys = environments.map((environment) => newKey({ accountId: id, environment, name: 'first start' }, nowMs));
  if (!(await insertFirstAccount(db, account, keys, by))) return null;
  return { account, keys: keys.map(({ key, record }) => ({ environment: record.environment, key })) };
}
