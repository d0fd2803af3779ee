import type { Actor } from '../actor.ts';
import type { Db } from '../db/db.ts';
import type { Environment } from '../http/endpoint.ts';
import { ulid } from '../ulid.ts';
import type { Account } from './accounts.ts';
import { insertFirstAccount } from './first-account-store.ts';
import { environments, isPossibleKey } from './key-text/key-format.ts';
import { describeKey, type KeyOwner, newKey } from './keys.ts';
import { firstPlanId, type Plan } from './plans.ts';

/** A key that the operator chose for an environment of the first account. */
interface ChosenKey {
  readonly environment: Environment;
  readonly key: string;
}

const by: Actor = { kind: 'service', id: 'first start', from: null };

/** The account of the first start and the keys that were generated for it, which are shown only once. */
export interface FirstAccount {
  readonly account: Account;
  readonly keys: readonly { environment: Environment; key: string }[];
}

/**
 * Creates an account and a key per environment in an empty database; null when the database is not empty. Environments without a
 * `given` key get a generated one. When an operator's own plans lack `self-hosted`, the account gets the first of them, so that the
 * keys work.
 */
export async function createFirstAccount(
  db: Db,
  plans: ReadonlyMap<string, Plan>,
  now: () => number,
  given: readonly ChosenKey[],
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
  const keys = environments.map((environment) => {
    const owner = { accountId: id, environment, name: 'first start' };
    const chosen = given.find((one) => one.environment === environment)?.key;
    return chosen === undefined ? { ...newKey(owner, nowMs), isGenerated: true } : givenKey(chosen, owner, nowMs);
  });
  if (!(await insertFirstAccount(db, account, keys, by))) return null;
  const generated = keys.filter(({ isGenerated }) => isGenerated);
  return { account, keys: generated.map(({ key, record }) => ({ environment: record.environment, key })) };
}

function givenKey(key: string, owner: KeyOwner, nowMs: number) {
  if (!isPossibleKey(key))
    throw new Error(
      `the key for ${owner.environment} in FIRST_KEYS starts with sp_ and is not one that \`signalpost keys create\` prints`,
    );
  return { key, ...describeKey(key, owner, nowMs), isGenerated: false };
}
