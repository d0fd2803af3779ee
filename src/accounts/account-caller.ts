import { AppError } from '../errors.ts';
import type { Caller, Environment } from '../http/endpoint.ts';
import { Attachable } from '../platform/attachment.ts';
import type { Account } from './accounts.ts';
import type { Plan } from './plans.ts';

/** The plan of an account; if the plan is no longer listed, the operator must correct it. */
export function planOf({ id, planId }: Account, plans: ReadonlyMap<string, Plan>): Plan {
  const plan = plans.get(planId);
  if (plan !== undefined) return plan;
  // As the cause it reaches the log and not the answer.
  const cause = new Error(`account ${id} has the plan "${planId}", which the plans do not list`);
  throw new AppError('service_unavailable', { cause });
}

/** An account as a caller: by a key, or without one by somebody in the console. */
export function accountCaller(
  account: Account,
  plans: ReadonlyMap<string, Plan>,
  environment: Environment,
  keyId: string,
): Caller {
  return new AccountCaller(account, planOf(account, plans), environment, keyId);
}

/** Carries what is known of it from request to request. */
export class AccountCaller extends Attachable implements Caller {
  // What every request looks at comes first: it is together in the processor's cache.
  readonly plan: Plan;
  readonly overage: boolean;
  readonly environment: Environment;
  readonly accountId: string;
  readonly keyId: string;
  readonly accountName: string;
  readonly accountEmail: string;
  readonly accountCreatedAtMs: number;

  constructor(account: Account, plan: Plan, environment: Environment, keyId: string) {
    super();
    this.plan = plan;
    this.overage = account.overage;
    this.environment = environment;
    this.accountId = account.id;
    this.keyId = keyId;
    this.accountName = account.name;
    this.accountEmail = account.email;
    this.accountCreatedAtMs = account.createdAtMs;
  }
}
