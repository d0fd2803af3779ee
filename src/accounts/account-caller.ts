import { AppError } from '../errors.ts';
import type { Caller, Environment } from '../http/endpoint.ts';
import { Attachable } from '../platform/attachment.ts';
import type { Account } from './accounts.ts';
import type { Plan } from './plans.ts';

/** The account's plan. Throws when the plan is no longer configured, which the operator must correct. */
export function planOf({ id, planId }: Account, plans: ReadonlyMap<string, Plan>): Plan {
  const plan = plans.get(planId);
  if (plan !== undefined) return plan;
  // The log shows the cause; the response does not.
  const cause = new Error(`account ${id} has the plan "${planId}", which is not configured`);
  throw new AppError('service_unavailable', { cause });
}

/** An account as a caller: authenticated by a key, or by a console user's session. */
export function accountCaller(
  account: Account,
  plans: ReadonlyMap<string, Plan>,
  environment: Environment,
  keyId: string,
): Caller {
  return new AccountCaller(account, planOf(account, plans), environment, keyId);
}

/** A caller to which other modules attach state that is reused by its later requests. */
export class AccountCaller extends Attachable implements Caller {
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
